/* err.h: messages of errors */
#ifndef _QUOD_ERR_H
#define _QUOD_ERR_H
#include <stdarg.h>
extern void warn(const char *, ...);
extern void vwarn(const char *, __gnuc_va_list);
extern void warnx(const char *, ...);
extern void vwarnx(const char *, __gnuc_va_list);
extern void err(int, const char *, ...) __attribute__((__noreturn__));
extern void verr(int, const char *, __gnuc_va_list) __attribute__((__noreturn__));
extern void errx(int, const char *, ...) __attribute__((__noreturn__));
extern void verrx(int, const char *, __gnuc_va_list) __attribute__((__noreturn__));
#endif
