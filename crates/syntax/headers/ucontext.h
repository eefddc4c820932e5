/* ucontext.h: contexts of threads */
#ifndef _QUOD_UCONTEXT_H
#define _QUOD_UCONTEXT_H
#include <signal.h>
typedef struct ucontext_t {
  unsigned long uc_flags;
  struct ucontext_t *uc_link;
  stack_t uc_stack;
  char __machine[__QUOD_BY_MODEL(256, 88)];
  __sigset_t uc_sigmask;
  char __rest[__QUOD_BY_MODEL(544, 128)];
} ucontext_t;
extern int getcontext(ucontext_t *);
extern int setcontext(const ucontext_t *);
extern int swapcontext(ucontext_t *__restrict, const ucontext_t *__restrict);
extern void makecontext(ucontext_t *, void (*)(void), int, ...);
#endif
