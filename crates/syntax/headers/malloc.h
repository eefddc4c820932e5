/* malloc.h: memory of the heap */
#ifndef _QUOD_MALLOC_H
#define _QUOD_MALLOC_H
#include <stddef.h>
#include <stdio.h>
extern void *malloc(size_t) __attribute__((__malloc__));
extern void *calloc(size_t, size_t) __attribute__((__malloc__));
extern void *realloc(void *, size_t);
extern void *reallocarray(void *, size_t, size_t);
extern void free(void *);
extern void *memalign(size_t, size_t);
extern void *valloc(size_t);
extern void *pvalloc(size_t);
struct mallinfo { int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost; };
extern struct mallinfo mallinfo(void);
extern int mallopt(int, int);
extern int malloc_trim(size_t);
extern size_t malloc_usable_size(void *);
extern void malloc_stats(void);
#define M_MXFAST 1
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#endif
