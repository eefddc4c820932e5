/* wait.h: waiting for processes */
#ifndef _QUOD_WAIT_H
#define _QUOD_WAIT_H
#include <sys/wait.h>
#endif
