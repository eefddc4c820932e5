// args: verify --threads 1 {}
// exit: 1
// A thread whose name is kept is joined again after others have been made: not one of those is joined.
#include <pthread.h>

void *work(void *argument) {
  return argument;
}

int main(void) {
  pthread_t first, next;
  pthread_create(&first, 0, work, 0);
  pthread_join(first, 0);
  for (int i = 0; i < 2; i++) {
    pthread_create(&next, 0, work, 0);
    pthread_join(next, 0);
  }
  pthread_create(&next, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(next, 0);
  return 0;
}
