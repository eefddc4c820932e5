// args: verify --threads 1 {}
// exit: 1
// A thread ends with a mutex: no later thread has it, whatever its number is.
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *take(void *argument) {
  pthread_mutex_lock(&lock);
  return argument;
}

void *give(void *argument) {
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, take, 0);
  pthread_join(thread, 0);
  thread = 0;
  pthread_create(&thread, 0, give, 0);
  pthread_join(thread, 0);
  return 0;
}
