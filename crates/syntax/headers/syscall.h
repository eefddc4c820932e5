/* syscall.h: numbers of system calls */
#ifndef _QUOD_SYSCALL_H
#define _QUOD_SYSCALL_H
#include <sys/syscall.h>
#endif
