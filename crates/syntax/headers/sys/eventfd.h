/* sys/eventfd.h: events */
#ifndef _QUOD_SYS_EVENTFD_H
#define _QUOD_SYS_EVENTFD_H
#include <stdint.h>
typedef uint64_t eventfd_t;
extern int eventfd(unsigned int, int);
#endif
