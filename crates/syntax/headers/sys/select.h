/* sys/select.h: waiting on several files */
#ifndef _QUOD_SYS_SELECT_H
#define _QUOD_SYS_SELECT_H
#include <quod/sigset.h>
#include <quod/timespec.h>
#include <quod/timeval.h>
typedef __suseconds_t suseconds_t;
typedef long __fd_mask;
typedef __fd_mask fd_mask;
#define FD_SETSIZE 1024
#define __FD_SETSIZE 1024
#define __NFDBITS (8 * (int) sizeof(__fd_mask))
#define NFDBITS __NFDBITS
typedef struct { __fd_mask __fds_bits[1024 / __NFDBITS]; } fd_set;
#define __FDS_BITS(set) ((set)->__fds_bits)
#define FD_SET(fd, set) ((void) ((set)->__fds_bits[(fd) / __NFDBITS] |= (__fd_mask) (1UL << ((fd) % __NFDBITS))))
#define FD_CLR(fd, set) ((void) ((set)->__fds_bits[(fd) / __NFDBITS] &= ~(__fd_mask) (1UL << ((fd) % __NFDBITS))))
#define FD_ISSET(fd, set) (((set)->__fds_bits[(fd) / __NFDBITS] & (__fd_mask) (1UL << ((fd) % __NFDBITS))) != 0)
#define FD_ZERO(set) \
  do { \
    unsigned int __i; \
    for (__i = 0; __i < sizeof(fd_set) / sizeof(__fd_mask); ++__i) (set)->__fds_bits[__i] = 0; \
  } while (0)
extern int select(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict, struct timeval *__restrict);
extern int pselect(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict, const struct timespec *__restrict,
                   const __sigset_t *__restrict);
#endif
