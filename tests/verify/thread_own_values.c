// args: verify --property unreach-call --threads 1 {}
// exit: 0
// A thread with a number that another had before has none of that one's own variables.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
__thread int own;

void *work(void *argument) {
  if (own)
    reach_error();
  own = 1;
  return argument;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
  return 0;
}
