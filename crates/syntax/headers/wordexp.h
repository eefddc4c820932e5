/* wordexp.h: words of the shell */
#ifndef _QUOD_WORDEXP_H
#define _QUOD_WORDEXP_H
#include <stddef.h>
typedef struct { size_t we_wordc; char **we_wordv; size_t we_offs; } wordexp_t;
enum { WRDE_DOOFFS = 1, WRDE_APPEND = 2, WRDE_NOCMD = 4, WRDE_REUSE = 8, WRDE_SHOWERR = 16, WRDE_UNDEF = 32 };
enum { WRDE_NOSYS = -1, WRDE_NOSPACE = 1, WRDE_BADCHAR, WRDE_BADVAL, WRDE_CMDSUB, WRDE_SYNTAX };
extern int wordexp(const char *__restrict, wordexp_t *__restrict, int);
extern void wordfree(wordexp_t *);
#endif
