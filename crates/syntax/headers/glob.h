/* glob.h: patterns of paths */
#ifndef _QUOD_GLOB_H
#define _QUOD_GLOB_H
#include <stddef.h>
typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
  int gl_flags;
  void (*gl_closedir)(void *);
  void *(*gl_readdir)(void *);
  void *(*gl_opendir)(const char *);
  int (*gl_lstat)(const char *__restrict, void *__restrict);
  int (*gl_stat)(const char *__restrict, void *__restrict);
} glob_t;
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
extern int glob(const char *__restrict, int, int (*)(const char *, int), glob_t *__restrict);
extern void globfree(glob_t *);
#endif
