/* sys/file.h: locks of files */
#ifndef _QUOD_SYS_FILE_H
#define _QUOD_SYS_FILE_H
#include <fcntl.h>
extern int flock(int, int);
#endif
