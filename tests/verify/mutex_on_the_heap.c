// args: verify --property valid-memsafety {}
// exit: 0
// A lock in memory that holds nothing before it is made ready.
#include <pthread.h>
#include <stdlib.h>

struct account {
  int balance;
  pthread_mutex_t lock;
};

static void *pay(void *argument) {
  struct account *account = argument;
  pthread_mutex_lock(&account->lock);
  account->balance -= 1;
  pthread_mutex_unlock(&account->lock);
  return NULL;
}

int main(void) {
  struct account *account = malloc(sizeof *account);
  if (!account) return 1;
  account->balance = 2;
  pthread_mutex_init(&account->lock, NULL);
  pthread_t other;
  pthread_create(&other, NULL, pay, account);
  pay(account);
  pthread_join(other, NULL);
  pthread_mutex_destroy(&account->lock);
  free(account);
  return 0;
}
