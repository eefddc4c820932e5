/* sys/ucontext.h: contexts of threads */
#ifndef _QUOD_SYS_UCONTEXT_H
#define _QUOD_SYS_UCONTEXT_H
#include <ucontext.h>
#endif
