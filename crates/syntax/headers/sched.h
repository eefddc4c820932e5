/* sched.h: scheduling */
#ifndef _QUOD_SCHED_H
#define _QUOD_SCHED_H
#include <quod/types.h>
#include <quod/timespec.h>
#include <stddef.h>
typedef __pid_t pid_t;
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define CLONE_VM 0x00000100
#define CLONE_FS 0x00000200
#define CLONE_FILES 0x00000400
#define CLONE_SIGHAND 0x00000800
#define CLONE_THREAD 0x00010000
#define CPU_SETSIZE 1024
typedef unsigned long __cpu_mask;
typedef struct { __cpu_mask __bits[1024 / (8 * sizeof(__cpu_mask))]; } cpu_set_t;
#define CPU_ZERO(set) __builtin_memset((set), 0, sizeof(cpu_set_t))
#define CPU_SET(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(__cpu_mask))] |= 1UL << ((cpu) % (8 * sizeof(__cpu_mask))))
#define CPU_CLR(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(__cpu_mask))] &= ~(1UL << ((cpu) % (8 * sizeof(__cpu_mask)))))
#define CPU_ISSET(cpu, set) (((set)->__bits[(cpu) / (8 * sizeof(__cpu_mask))] >> ((cpu) % (8 * sizeof(__cpu_mask)))) & 1)
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
extern int sched_setparam(__pid_t, const struct sched_param *);
extern int sched_getparam(__pid_t, struct sched_param *);
extern int sched_setscheduler(__pid_t, int, const struct sched_param *);
extern int sched_getscheduler(__pid_t);
extern int sched_rr_get_interval(__pid_t, struct timespec *);
extern int sched_setaffinity(__pid_t, size_t, const cpu_set_t *);
extern int sched_getaffinity(__pid_t, size_t, cpu_set_t *);
extern int sched_getcpu(void);
extern int clone(int (*)(void *), void *, int, void *, ...);
extern int unshare(int);
#endif
