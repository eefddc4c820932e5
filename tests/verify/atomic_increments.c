// args: verify --property unreach-call {}
// exit: 0
// `++` and `+=` on an atomic object are one step each, also where nobody uses their value.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

atomic_int counter;

void *twice(void *argument) {
    counter++;
    counter += 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, twice, 0);
    pthread_create(&second, 0, twice, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (counter != 4) {
        reach_error();
    }
    return 0;
}
