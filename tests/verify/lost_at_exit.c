// args: verify --property valid-memsafety {}
// exit: 1
// The inner block is lost with the outer one. The result of a call on its way to its place is no variable.
#include <stdlib.h>

int **outer;

static void forget(void) {
    free(outer);
    outer = 0;
}

int main(void) {
    outer = malloc(sizeof *outer);
    *outer = malloc(sizeof **outer);
    forget();
    exit(1);
}
