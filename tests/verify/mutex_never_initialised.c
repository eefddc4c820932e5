// args: verify --property unreach-call --threads 1 {}
// exit: 3
// A mutex on the stack that only some executions initialise is not taken for one that is free.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  pthread_mutex_t lock;
  if (__VERIFIER_nondet_int())
    pthread_mutex_init(&lock, 0);
  while (__VERIFIER_nondet_int()) {
  }
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
