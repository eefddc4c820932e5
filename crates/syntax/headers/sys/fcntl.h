/* sys/fcntl.h: control of files */
#ifndef _QUOD_SYS_FCNTL_H
#define _QUOD_SYS_FCNTL_H
#include <fcntl.h>
#endif
