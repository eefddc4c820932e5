// args: verify --property unreach-call {}
// exit: 1
// In C an increment is two accesses: an update can be lost.
#include <pthread.h>

extern void reach_error(void);

int counter;

void *increment(void *unused) {
    counter++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, increment, 0);
    pthread_create(&second, 0, increment, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (counter != 2)
        reach_error();
    return 0;
}
