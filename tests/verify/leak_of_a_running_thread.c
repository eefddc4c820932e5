// args: verify --property valid-memcleanup {}
// exit: 1
// `main` may return between the two: what a thread does with memory of its own is seen when the program ends.
#include <pthread.h>
#include <stdlib.h>

void *work(void *argument) {
    int *block = malloc(sizeof *block);
    free(block);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    return 0;
}
