/* quod/sigset.h: sigset_t */
#ifndef _QUOD_QUOD_SIGSET_H
#define _QUOD_QUOD_SIGSET_H
typedef struct { unsigned long __val[1024 / (8 * sizeof(unsigned long))]; } __sigset_t;
typedef __sigset_t sigset_t;
#endif
