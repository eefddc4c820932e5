/* poll.h: waiting on several files */
#ifndef _QUOD_POLL_H
#define _QUOD_POLL_H
typedef unsigned long nfds_t;
struct pollfd { int fd; short events; short revents; };
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
extern int poll(struct pollfd *, nfds_t, int);
#endif
