// args: verify --property no-data-race {}
// exit: 1
#include <pthread.h>

int shared;

void *writer(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = shared;
    pthread_join(thread, 0);
    return seen;
}
