/* sys/uio.h: vectors of buffers */
#ifndef _QUOD_SYS_UIO_H
#define _QUOD_SYS_UIO_H
#include <sys/types.h>
struct iovec { void *iov_base; size_t iov_len; };
#define UIO_MAXIOV 1024
extern ssize_t readv(int, const struct iovec *, int);
extern ssize_t writev(int, const struct iovec *, int);
#endif
