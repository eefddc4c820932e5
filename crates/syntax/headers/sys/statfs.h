/* sys/statfs.h: status of file systems */
#ifndef _QUOD_SYS_STATFS_H
#define _QUOD_SYS_STATFS_H
#include <sys/vfs.h>
#endif
