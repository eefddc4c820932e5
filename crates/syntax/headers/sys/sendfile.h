/* sys/sendfile.h: copies between files */
#ifndef _QUOD_SYS_SENDFILE_H
#define _QUOD_SYS_SENDFILE_H
#include <sys/types.h>
extern ssize_t sendfile(int, int, __off_t *, size_t);
#endif
