/* sys/times.h: time that processes used */
#ifndef _QUOD_SYS_TIMES_H
#define _QUOD_SYS_TIMES_H
#include <quod/types.h>
typedef __clock_t clock_t;
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
extern clock_t times(struct tms *);
#endif
