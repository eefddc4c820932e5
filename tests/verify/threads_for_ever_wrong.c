// args: verify --property unreach-call --threads 1 {}
// exit: 1
// The result of an ended thread is read after others have come and gone.
#include <pthread.h>
extern void reach_error(void);
int turn;

void *work(void *argument) {
  return argument;
}

int main(void) {
  pthread_t first, next;
  void *result;
  pthread_create(&first, 0, work, (void *)1);
  for (int i = 0; i < 3; i++) {
    pthread_create(&next, 0, work, (void *)2);
    pthread_join(next, 0);
  }
  pthread_join(first, &result);
  if (result == (void *)1)
    reach_error();
  return 0;
}
