// args: verify --property unreach-call {}
// exit: 0
// Executions that end inside of calls, and loops that never do, do not come to what follows.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int unrelated;

static void stop(int value) {
    unrelated += value;
    if (value > 10)
        exit(0);
    while (value > 5)
        unrelated ^= 1;
}

int main(void) {
    int value = __VERIFIER_nondet_int();
    for (int i = 0; i < 1000; i++)
        unrelated ^= i;
    stop(value);
    if (value > 10)
        reach_error();
    while (value > 5 && value < 9)
        unrelated++;
    if (value > 5 && value < 9)
        reach_error();
    return 0;
}
