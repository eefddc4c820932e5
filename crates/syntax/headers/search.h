/* search.h: tables and trees */
#ifndef _QUOD_SEARCH_H
#define _QUOD_SEARCH_H
#include <stddef.h>
typedef struct entry { char *key; void *data; } ENTRY;
typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;
extern int hcreate(size_t);
extern void hdestroy(void);
extern ENTRY *hsearch(ENTRY, ACTION);
extern void *tsearch(const void *, void **, int (*)(const void *, const void *));
extern void *tfind(const void *, void *const *, int (*)(const void *, const void *));
extern void *tdelete(const void *__restrict, void **__restrict, int (*)(const void *, const void *));
extern void twalk(const void *, void (*)(const void *, VISIT, int));
extern void tdestroy(void *, void (*)(void *));
extern void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
extern void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
extern void insque(void *, void *);
extern void remque(void *);
#endif
