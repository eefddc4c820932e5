// args: verify --property unreach-call --threads 1 {}
// exit: 0
// Threads that are made and joined for ever have finitely many states.
#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *by) {
  pthread_mutex_lock(&lock);
  shared = (shared + 1) % 3;
  pthread_mutex_unlock(&lock);
  return by;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t one, two;
    void *result;
    pthread_create(&one, 0, work, (void *)7);
    pthread_create(&two, 0, work, (void *)8);
    pthread_join(one, &result);
    if (result != (void *)7)
      reach_error();
    pthread_join(two, &result);
    if (result != (void *)8)
      reach_error();
    if (shared > 2)
      reach_error();
  }
  return 0;
}
