/* bits/types.h: names of shared types that some programs ask for */
#ifndef _QUOD_BITS_TYPES_H
#define _QUOD_BITS_TYPES_H
#include <quod/types.h>
#endif
