/* regex.h: regular expressions */
#ifndef _QUOD_REGEX_H
#define _QUOD_REGEX_H
#include <sys/types.h>
typedef int regoff_t;
typedef unsigned long reg_syntax_t;
typedef struct re_pattern_buffer {
  void *__buffer;
  unsigned long __allocated, __used;
  unsigned long __syntax;
  char *__fastmap;
  unsigned char *__translate;
  size_t re_nsub;
  unsigned int __flags;
} regex_t;
typedef struct { regoff_t rm_so; regoff_t rm_eo; } regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_STARTEND 4
#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ESPACE 12
extern int regcomp(regex_t *__restrict, const char *__restrict, int);
extern int regexec(const regex_t *__restrict, const char *__restrict, size_t, regmatch_t *__restrict, int);
extern size_t regerror(int, const regex_t *__restrict, char *__restrict, size_t);
extern void regfree(regex_t *);
#endif
