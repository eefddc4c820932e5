/* libgen.h: parts of paths */
#ifndef _QUOD_LIBGEN_H
#define _QUOD_LIBGEN_H
extern char *dirname(char *);
extern char *__xpg_basename(char *);
#define basename __xpg_basename
#endif
