// args: verify --property valid-memsafety {}
// exit: 1
// What a call returned and nobody kept is lost, also while another thread runs.
#include <pthread.h>
#include <stdlib.h>

int **outer;

static void *idle(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, idle, 0);
    outer = malloc(sizeof *outer);
    *outer = malloc(sizeof **outer);
    free(outer);
    outer = 0;
    exit(1);
}
