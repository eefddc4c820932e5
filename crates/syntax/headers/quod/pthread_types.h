/* quod/pthread_types.h: opaque types of threads */
#ifndef _QUOD_QUOD_PTHREAD_TYPES_H
#define _QUOD_QUOD_PTHREAD_TYPES_H
#include <quod/types.h>
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;
#ifdef __LP64__
#define __QUOD_BY_MODEL(lp64, ilp32) lp64
#else
#define __QUOD_BY_MODEL(lp64, ilp32) ilp32
#endif
union pthread_attr_t { char __size[__QUOD_BY_MODEL(56, 36)]; long __align; };
typedef union pthread_attr_t pthread_attr_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
typedef union { char __size[4]; int __align; } pthread_condattr_t;
typedef union { char __size[8]; long __align; } pthread_rwlockattr_t;
typedef union { char __size[4]; int __align; } pthread_barrierattr_t;
struct __pthread_mutex_s {
  int __lock;
  unsigned int __count;
  int __owner;
#ifdef __LP64__
  unsigned int __nusers;
  int __kind;
#else
  int __kind;
  unsigned int __nusers;
#endif
};
typedef union {
  struct __pthread_mutex_s __data;
  char __size[__QUOD_BY_MODEL(40, 24)];
  long __align;
} pthread_mutex_t;
typedef union { char __size[48]; long long __align; } pthread_cond_t;
typedef union { char __size[__QUOD_BY_MODEL(56, 32)]; long __align; } pthread_rwlock_t;
typedef union { char __size[__QUOD_BY_MODEL(32, 20)]; long __align; } pthread_barrier_t;
#endif
