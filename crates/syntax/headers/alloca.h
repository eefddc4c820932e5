/* alloca.h: memory on the stack */
#ifndef _QUOD_ALLOCA_H
#define _QUOD_ALLOCA_H
#include <stddef.h>
extern void *alloca(size_t);
#undef alloca
#define alloca(size) __builtin_alloca(size)
#endif
