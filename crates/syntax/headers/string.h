/* string.h: strings (C11 7.24, POSIX) */
#ifndef _QUOD_STRING_H
#define _QUOD_STRING_H
#include <stddef.h>
typedef struct __locale_struct *locale_t;
extern void *memcpy(void *__restrict, const void *__restrict, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memccpy(void *__restrict, const void *__restrict, int, size_t);
extern void *mempcpy(void *__restrict, const void *__restrict, size_t);
extern void *memset(void *, int, size_t);
extern void *memset_explicit(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern void *memchr(const void *, int, size_t);
extern void *memrchr(const void *, int, size_t);
extern void *rawmemchr(const void *, int);
extern void *memmem(const void *, size_t, const void *, size_t);
extern char *strcpy(char *__restrict, const char *__restrict);
extern char *strncpy(char *__restrict, const char *__restrict, size_t);
extern char *stpcpy(char *__restrict, const char *__restrict);
extern char *stpncpy(char *__restrict, const char *__restrict, size_t);
extern char *strcat(char *__restrict, const char *__restrict);
extern char *strncat(char *__restrict, const char *__restrict, size_t);
extern size_t strlcpy(char *__restrict, const char *__restrict, size_t);
extern size_t strlcat(char *__restrict, const char *__restrict, size_t);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern int strcoll(const char *, const char *);
extern size_t strxfrm(char *__restrict, const char *__restrict, size_t);
extern char *strdup(const char *) __attribute__((__malloc__));
extern char *strndup(const char *, size_t) __attribute__((__malloc__));
extern char *strchr(const char *, int);
extern char *strrchr(const char *, int);
extern char *strchrnul(const char *, int);
extern size_t strcspn(const char *, const char *);
extern size_t strspn(const char *, const char *);
extern char *strpbrk(const char *, const char *);
extern char *strstr(const char *, const char *);
extern char *strcasestr(const char *, const char *);
extern char *strtok(char *__restrict, const char *__restrict);
extern char *strtok_r(char *__restrict, const char *__restrict, char **__restrict);
extern char *__strtok_r(char *__restrict, const char *__restrict, char **__restrict);
extern char *strsep(char **__restrict, const char *__restrict);
extern size_t strlen(const char *);
extern size_t strnlen(const char *, size_t);
extern char *strerror(int);
#ifdef _GNU_SOURCE
extern char *strerror_r(int, char *, size_t);
extern char *basename(const char *);
#else
extern int strerror_r(int, char *, size_t);
#endif
extern char *strerror_l(int, locale_t);
extern char *strsignal(int);
extern int strverscmp(const char *, const char *);
extern char *strfry(char *);
extern void *memfrob(void *, size_t);
extern void explicit_bzero(void *, size_t);
#define strdupa(text) \
  (__extension__({ \
    const char *__old = (text); \
    size_t __length = strlen(__old) + 1; \
    (char *) memcpy(__builtin_alloca(__length), __old, __length); \
  }))
#include <strings.h>
#endif
