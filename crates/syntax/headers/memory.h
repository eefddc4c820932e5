/* memory.h: the name of old programs for string.h */
#ifndef _QUOD_MEMORY_H
#define _QUOD_MEMORY_H
#include <string.h>
#endif
