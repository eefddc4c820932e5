/* sys/errno.h: error numbers */
#ifndef _QUOD_SYS_ERRNO_H
#define _QUOD_SYS_ERRNO_H
#include <errno.h>
#endif
