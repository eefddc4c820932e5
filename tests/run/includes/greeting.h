#pragma once
#define GREETING "hello from a header"
