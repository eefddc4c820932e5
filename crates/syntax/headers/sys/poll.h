/* sys/poll.h: waiting on several files */
#ifndef _QUOD_SYS_POLL_H
#define _QUOD_SYS_POLL_H
#include <poll.h>
#endif
