/* sys/time.h: time of BSD and POSIX */
#ifndef _QUOD_SYS_TIME_H
#define _QUOD_SYS_TIME_H
#include <quod/timeval.h>
#include <sys/select.h>
typedef __time_t time_t;
struct timezone { int tz_minuteswest; int tz_dsttime; };
struct itimerval { struct timeval it_interval; struct timeval it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
extern int gettimeofday(struct timeval *__restrict, void *__restrict);
extern int settimeofday(const struct timeval *, const struct timezone *);
extern int adjtime(const struct timeval *, struct timeval *);
extern int getitimer(int, struct itimerval *);
extern int setitimer(int, const struct itimerval *__restrict, struct itimerval *__restrict);
extern int utimes(const char *, const struct timeval[2]);
extern int lutimes(const char *, const struct timeval[2]);
extern int futimes(int, const struct timeval[2]);
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, CMP) \
  (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec CMP(b)->tv_usec) : ((a)->tv_sec CMP(b)->tv_sec))
#define timeradd(a, b, result) \
  do { \
    (result)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
    (result)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
    if ((result)->tv_usec >= 1000000) { \
      ++(result)->tv_sec; \
      (result)->tv_usec -= 1000000; \
    } \
  } while (0)
#define timersub(a, b, result) \
  do { \
    (result)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
    (result)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
    if ((result)->tv_usec < 0) { \
      --(result)->tv_sec; \
      (result)->tv_usec += 1000000; \
    } \
  } while (0)
#endif
