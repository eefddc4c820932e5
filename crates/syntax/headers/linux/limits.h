/* linux/limits.h: limits of Linux */
#ifndef _QUOD_LINUX_LIMITS_H
#define _QUOD_LINUX_LIMITS_H
#include <limits.h>
#endif
