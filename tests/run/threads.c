#include <pthread.h>
#include <stdio.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    for (int i = 0; i < *(int *)argument; i++) {
        pthread_mutex_lock(&lock);
        total++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int counts[3] = {5, 10, 15};
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, &counts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", total);
    return 0;
}
