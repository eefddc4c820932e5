// args: verify --property no-data-race {}
// exit: 0
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    shared = shared + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&lock);
    shared = shared + 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return shared;
}
