/* sys/signal.h: signals */
#ifndef _QUOD_SYS_SIGNAL_H
#define _QUOD_SYS_SIGNAL_H
#include <signal.h>
#endif
