/* threads.h: threads (C11 7.26) */
#ifndef _QUOD_THREADS_H
#define _QUOD_THREADS_H
#include <time.h>
#include <quod/pthread_types.h>
#define ONCE_FLAG_INIT { 0 }
#define TSS_DTOR_ITERATIONS 4
#if __STDC_VERSION__ < 202311L
#define thread_local _Thread_local
#endif
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct { int __data; } once_flag;
typedef union { char __size[__QUOD_BY_MODEL(40, 24)]; long __align; } mtx_t;
typedef union { char __size[48]; long long __align; } cnd_t;
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
extern int thrd_create(thrd_t *, thrd_start_t, void *);
extern int thrd_equal(thrd_t, thrd_t);
extern thrd_t thrd_current(void);
extern int thrd_sleep(const struct timespec *, struct timespec *);
extern void thrd_exit(int) __attribute__((__noreturn__));
extern int thrd_detach(thrd_t);
extern int thrd_join(thrd_t, int *);
extern void thrd_yield(void);
extern int mtx_init(mtx_t *, int);
extern int mtx_lock(mtx_t *);
extern int mtx_timedlock(mtx_t *__restrict, const struct timespec *__restrict);
extern int mtx_trylock(mtx_t *);
extern int mtx_unlock(mtx_t *);
extern void mtx_destroy(mtx_t *);
extern void call_once(once_flag *, void (*)(void));
extern int cnd_init(cnd_t *);
extern int cnd_signal(cnd_t *);
extern int cnd_broadcast(cnd_t *);
extern int cnd_wait(cnd_t *, mtx_t *);
extern int cnd_timedwait(cnd_t *__restrict, mtx_t *__restrict, const struct timespec *__restrict);
extern void cnd_destroy(cnd_t *);
extern int tss_create(tss_t *, tss_dtor_t);
extern void *tss_get(tss_t);
extern int tss_set(tss_t, void *);
extern void tss_delete(tss_t);
#endif
