/* sys/syscall.h: numbers of system calls */
#ifndef _QUOD_SYS_SYSCALL_H
#define _QUOD_SYS_SYSCALL_H
#define SYS_gettid __QUOD_SYSCALL(186, 224)
#ifdef __LP64__
#define __QUOD_SYSCALL(lp64, ilp32) lp64
#else
#define __QUOD_SYSCALL(lp64, ilp32) ilp32
#endif
#define __NR_gettid SYS_gettid
#define SYS_futex __QUOD_SYSCALL(202, 240)
#define __NR_futex SYS_futex
#define SYS_getpid __QUOD_SYSCALL(39, 20)
#define SYS_write __QUOD_SYSCALL(1, 4)
#define SYS_read __QUOD_SYSCALL(0, 3)
#endif
