/* utime.h: times of files */
#ifndef _QUOD_UTIME_H
#define _QUOD_UTIME_H
#include <quod/types.h>
struct utimbuf { __time_t actime; __time_t modtime; };
extern int utime(const char *, const struct utimbuf *);
#endif
