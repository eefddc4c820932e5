/* wchar.h: wide characters (C11 7.29) */
#ifndef _QUOD_WCHAR_H
#define _QUOD_WCHAR_H
#include <quod/types.h>
#include <stddef.h>
#include <stdarg.h>
typedef __WINT_TYPE__ wint_t;
typedef __mbstate_t mbstate_t;
struct tm;
struct _IO_FILE;
typedef struct _IO_FILE __FILE;
typedef struct _IO_FILE FILE;
#define WEOF (0xffffffffu)
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
extern wchar_t *wcscpy(wchar_t *__restrict, const wchar_t *__restrict);
extern wchar_t *wcsncpy(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern wchar_t *wcpcpy(wchar_t *__restrict, const wchar_t *__restrict);
extern wchar_t *wcpncpy(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern wchar_t *wcscat(wchar_t *__restrict, const wchar_t *__restrict);
extern wchar_t *wcsncat(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern int wcscmp(const wchar_t *, const wchar_t *);
extern int wcsncmp(const wchar_t *, const wchar_t *, size_t);
extern int wcscasecmp(const wchar_t *, const wchar_t *);
extern int wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
extern int wcscoll(const wchar_t *, const wchar_t *);
extern size_t wcsxfrm(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern wchar_t *wcsdup(const wchar_t *);
extern wchar_t *wcschr(const wchar_t *, wchar_t);
extern wchar_t *wcsrchr(const wchar_t *, wchar_t);
extern wchar_t *wcschrnul(const wchar_t *, wchar_t);
extern size_t wcscspn(const wchar_t *, const wchar_t *);
extern size_t wcsspn(const wchar_t *, const wchar_t *);
extern wchar_t *wcspbrk(const wchar_t *, const wchar_t *);
extern wchar_t *wcsstr(const wchar_t *, const wchar_t *);
extern wchar_t *wcswcs(const wchar_t *, const wchar_t *);
extern wchar_t *wcstok(wchar_t *__restrict, const wchar_t *__restrict, wchar_t **__restrict);
extern size_t wcslen(const wchar_t *);
extern size_t wcsnlen(const wchar_t *, size_t);
extern wchar_t *wmemchr(const wchar_t *, wchar_t, size_t);
extern int wmemcmp(const wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmemcpy(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern wchar_t *wmempcpy(wchar_t *__restrict, const wchar_t *__restrict, size_t);
extern wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t);
extern wchar_t *wmemset(wchar_t *, wchar_t, size_t);
extern wint_t btowc(int);
extern int wctob(wint_t);
extern int mbsinit(const mbstate_t *);
extern size_t mbrtowc(wchar_t *__restrict, const char *__restrict, size_t, mbstate_t *__restrict);
extern size_t wcrtomb(char *__restrict, wchar_t, mbstate_t *__restrict);
extern size_t mbrlen(const char *__restrict, size_t, mbstate_t *__restrict);
extern size_t mbsrtowcs(wchar_t *__restrict, const char **__restrict, size_t, mbstate_t *__restrict);
extern size_t wcsrtombs(char *__restrict, const wchar_t **__restrict, size_t, mbstate_t *__restrict);
extern size_t mbsnrtowcs(wchar_t *__restrict, const char **__restrict, size_t, size_t, mbstate_t *__restrict);
extern size_t wcsnrtombs(char *__restrict, const wchar_t **__restrict, size_t, size_t, mbstate_t *__restrict);
extern int wcwidth(wchar_t);
extern int wcswidth(const wchar_t *, size_t);
extern double wcstod(const wchar_t *__restrict, wchar_t **__restrict);
extern float wcstof(const wchar_t *__restrict, wchar_t **__restrict);
extern long double wcstold(const wchar_t *__restrict, wchar_t **__restrict);
extern long wcstol(const wchar_t *__restrict, wchar_t **__restrict, int);
extern unsigned long wcstoul(const wchar_t *__restrict, wchar_t **__restrict, int);
extern long long wcstoll(const wchar_t *__restrict, wchar_t **__restrict, int);
extern unsigned long long wcstoull(const wchar_t *__restrict, wchar_t **__restrict, int);
extern int fwide(FILE *, int);
extern int fwprintf(FILE *__restrict, const wchar_t *__restrict, ...);
extern int wprintf(const wchar_t *__restrict, ...);
extern int swprintf(wchar_t *__restrict, size_t, const wchar_t *__restrict, ...);
extern int vfwprintf(FILE *__restrict, const wchar_t *__restrict, __gnuc_va_list);
extern int vwprintf(const wchar_t *__restrict, __gnuc_va_list);
extern int vswprintf(wchar_t *__restrict, size_t, const wchar_t *__restrict, __gnuc_va_list);
extern int fwscanf(FILE *__restrict, const wchar_t *__restrict, ...);
extern int wscanf(const wchar_t *__restrict, ...);
extern int swscanf(const wchar_t *__restrict, const wchar_t *__restrict, ...);
extern int vfwscanf(FILE *__restrict, const wchar_t *__restrict, __gnuc_va_list);
extern int vwscanf(const wchar_t *__restrict, __gnuc_va_list);
extern int vswscanf(const wchar_t *__restrict, const wchar_t *__restrict, __gnuc_va_list);
extern wint_t fgetwc(FILE *);
extern wint_t getwc(FILE *);
extern wint_t getwchar(void);
extern wint_t fputwc(wchar_t, FILE *);
extern wint_t putwc(wchar_t, FILE *);
extern wint_t putwchar(wchar_t);
extern wchar_t *fgetws(wchar_t *__restrict, int, FILE *__restrict);
extern int fputws(const wchar_t *__restrict, FILE *__restrict);
extern wint_t ungetwc(wint_t, FILE *);
extern size_t wcsftime(wchar_t *__restrict, size_t, const wchar_t *__restrict, const struct tm *__restrict);
#endif
