/* quod/timeval.h: struct timeval */
#ifndef _QUOD_QUOD_TIMEVAL_H
#define _QUOD_QUOD_TIMEVAL_H
#include <quod/types.h>
struct timeval { __time_t tv_sec; __suseconds_t tv_usec; };
#endif
