/* quod/timespec.h: struct timespec and struct timeval */
#ifndef _QUOD_QUOD_TIMESPEC_H
#define _QUOD_QUOD_TIMESPEC_H
#include <quod/types.h>
typedef __time_t time_t;
struct timespec { __time_t tv_sec; long tv_nsec; };
#endif
