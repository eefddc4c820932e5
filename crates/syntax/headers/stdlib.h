/* stdlib.h: general utilities (C11 7.22, POSIX) */
#ifndef _QUOD_STDLIB_H
#define _QUOD_STDLIB_H
#include <stddef.h>
#include <quod/types.h>
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
#define RAND_MAX 2147483647
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
extern size_t __ctype_get_mb_cur_max(void);
#define MB_CUR_MAX (__ctype_get_mb_cur_max())
extern double atof(const char *);
extern int atoi(const char *);
extern long atol(const char *);
extern long long atoll(const char *);
extern double strtod(const char *__restrict, char **__restrict);
extern float strtof(const char *__restrict, char **__restrict);
extern long double strtold(const char *__restrict, char **__restrict);
extern long strtol(const char *__restrict, char **__restrict, int);
extern unsigned long strtoul(const char *__restrict, char **__restrict, int);
extern long long strtoll(const char *__restrict, char **__restrict, int);
extern unsigned long long strtoull(const char *__restrict, char **__restrict, int);
extern long long strtoq(const char *__restrict, char **__restrict, int);
extern unsigned long long strtouq(const char *__restrict, char **__restrict, int);
extern int rand(void);
extern void srand(unsigned int);
extern int rand_r(unsigned int *);
extern long random(void);
extern void srandom(unsigned int);
extern char *initstate(unsigned int, char *, size_t);
extern char *setstate(char *);
extern double drand48(void);
extern double erand48(unsigned short[3]);
extern long lrand48(void);
extern long nrand48(unsigned short[3]);
extern long mrand48(void);
extern long jrand48(unsigned short[3]);
extern void srand48(long);
extern unsigned short *seed48(unsigned short[3]);
extern void lcong48(unsigned short[7]);
extern unsigned int arc4random(void);
extern unsigned int arc4random_uniform(unsigned int);
extern void arc4random_buf(void *, size_t);
extern void *malloc(size_t) __attribute__((__malloc__));
extern void *calloc(size_t, size_t) __attribute__((__malloc__));
extern void *realloc(void *, size_t);
extern void *reallocarray(void *, size_t, size_t);
extern void free(void *);
extern void cfree(void *);
extern void *valloc(size_t);
extern int posix_memalign(void **, size_t, size_t);
extern void *aligned_alloc(size_t, size_t);
extern void abort(void) __attribute__((__noreturn__));
extern int atexit(void (*)(void));
extern int at_quick_exit(void (*)(void));
extern int on_exit(void (*)(int, void *), void *);
extern void exit(int) __attribute__((__noreturn__));
extern void quick_exit(int) __attribute__((__noreturn__));
extern void _Exit(int) __attribute__((__noreturn__));
extern char *getenv(const char *);
extern char *secure_getenv(const char *);
extern int putenv(char *);
extern int setenv(const char *, const char *, int);
extern int unsetenv(const char *);
extern int clearenv(void);
extern int system(const char *);
extern char *realpath(const char *__restrict, char *__restrict);
extern char *canonicalize_file_name(const char *);
extern char *mktemp(char *);
extern int mkstemp(char *);
extern int mkstemps(char *, int);
extern char *mkdtemp(char *);
typedef int (*__compar_fn_t)(const void *, const void *);
typedef __compar_fn_t comparison_fn_t;
extern void *bsearch(const void *, const void *, size_t, size_t, __compar_fn_t);
extern void qsort(void *, size_t, size_t, __compar_fn_t);
extern void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
extern int abs(int) __attribute__((__const__));
extern long labs(long) __attribute__((__const__));
extern long long llabs(long long) __attribute__((__const__));
extern div_t div(int, int) __attribute__((__const__));
extern ldiv_t ldiv(long, long) __attribute__((__const__));
extern lldiv_t lldiv(long long, long long) __attribute__((__const__));
extern int mblen(const char *, size_t);
extern int mbtowc(wchar_t *__restrict, const char *__restrict, size_t);
extern int wctomb(char *, wchar_t);
extern size_t mbstowcs(wchar_t *__restrict, const char *__restrict, size_t);
extern size_t wcstombs(char *__restrict, const wchar_t *__restrict, size_t);
extern int rpmatch(const char *);
extern int getsubopt(char **__restrict, char *const *__restrict, char **__restrict);
extern int posix_openpt(int);
extern int grantpt(int);
extern int unlockpt(int);
extern char *ptsname(int);
extern int getloadavg(double[], int);
extern char *ecvt(double, int, int *__restrict, int *__restrict);
extern char *fcvt(double, int, int *__restrict, int *__restrict);
extern char *gcvt(double, int, char *);
extern long a64l(const char *);
extern char *l64a(long);
#include <alloca.h>
#include <sys/types.h>
#include <quod/wait.h>
#endif
