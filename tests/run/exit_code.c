// exit: 3
#include <stdio.h>
#include <stdlib.h>

static void goodbye(void) {
    printf("goodbye\n");
}

int main(void) {
    atexit(goodbye);
    printf("hello\n");
    exit(3);
}
