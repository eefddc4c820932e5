/* sys/random.h: random bytes */
#ifndef _QUOD_SYS_RANDOM_H
#define _QUOD_SYS_RANDOM_H
#include <sys/types.h>
extern ssize_t getrandom(void *, size_t, unsigned int);
#endif
