// args: verify --property valid-memcleanup {}
// exit: 1
// `free(0)` frees nothing: the block that `kept` points to may be left.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *kept = malloc(sizeof *kept);
    int *freed = __VERIFIER_nondet_int() ? kept : 0;
    free(freed);
    return 0;
}
