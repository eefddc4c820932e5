// args: verify --property unreach-call {}
// exit: 3
// Whether the block was freed decides whether a new one may lie at the same address.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int unrelated = 0;
    char *p = malloc(4);
    for (int i = 0; i < 10; i++)
        unrelated += __VERIFIER_nondet_int();
    free(p);
    char *q = malloc(4);
    if (p == q)
        reach_error();
    return 0;
}
