/* sys/param.h: limits of old programs */
#ifndef _QUOD_SYS_PARAM_H
#define _QUOD_SYS_PARAM_H
#include <limits.h>
#include <signal.h>
#define NBBY CHAR_BIT
#define MAXPATHLEN PATH_MAX
#define MAXHOSTNAMELEN 64
#define MAXSYMLINKS 20
#define NOFILE 256
#define DEV_BSIZE 512
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#endif
