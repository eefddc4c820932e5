// args: validate witness.yml {}
// exit: 3
// A lock that is never given back.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    int x = 5;
    while (x > 0)
        x--;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    return 0;
}
