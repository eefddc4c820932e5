// args: verify --property unreach-call --threads 1 {}
// exit: 0
// A name that is kept anywhere, as a number, as a pointer, or in bytes, is not given to another thread.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);

void *work(void *argument) {
  return argument;
}

int main(void) {
  pthread_t kept, next;
  int number;
  void *pointer;
  unsigned char bytes[sizeof(pthread_t)];
  pthread_create(&kept, 0, work, 0);
  pthread_join(kept, 0);
  number = (int)kept;
  pthread_create(&kept, 0, work, 0);
  pthread_join(kept, 0);
  pointer = (void *)kept;
  pthread_create(&kept, 0, work, 0);
  pthread_join(kept, 0);
  memcpy(bytes, &kept, sizeof kept);
  kept = 0;
  for (int i = 0; i < 4; i++) {
    pthread_create(&next, 0, work, 0);
    if ((int)next == number || (void *)next == pointer || !memcmp(bytes, &next, sizeof next))
      reach_error();
    pthread_join(next, 0);
  }
  return 0;
}
