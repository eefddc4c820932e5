// args: verify --property unreach-call --threads 1 {}
// exit: 0
// Detached threads, one after the other: they end, and nobody can ask for them.
#include <pthread.h>
#include <semaphore.h>
extern void reach_error(void);
sem_t free_place;
int inside;

void *work(void *argument) {
  inside++;
  if (inside != 1)
    reach_error();
  inside--;
  sem_post(&free_place);
  return argument;
}

int main(void) {
  sem_init(&free_place, 0, 1);
  while (1) {
    pthread_t thread;
    sem_wait(&free_place);
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
  }
}
