/* sys/timeb.h: time of old programs */
#ifndef _QUOD_SYS_TIMEB_H
#define _QUOD_SYS_TIMEB_H
#include <quod/timespec.h>
struct timeb { time_t time; unsigned short millitm; short timezone; short dstflag; };
extern int ftime(struct timeb *);
#endif
