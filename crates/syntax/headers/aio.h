/* aio.h: asynchronous input and output */
#ifndef _QUOD_AIO_H
#define _QUOD_AIO_H
#include <signal.h>
#include <sys/types.h>
struct aiocb { int aio_fildes; int aio_lio_opcode; int aio_reqprio; volatile void *aio_buf; size_t aio_nbytes; struct sigevent aio_sigevent; };
extern int aio_read(struct aiocb *);
extern int aio_write(struct aiocb *);
extern int aio_error(const struct aiocb *);
extern ssize_t aio_return(struct aiocb *);
#endif
