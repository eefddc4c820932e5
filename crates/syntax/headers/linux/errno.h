/* linux/errno.h: error numbers */
#ifndef _QUOD_LINUX_ERRNO_H
#define _QUOD_LINUX_ERRNO_H
#include <errno.h>
#endif
