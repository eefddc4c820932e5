// args: verify --property unreach-call {}
// exit: 1
// Abstract interpretation does not know where the write goes; what it believes behind that is worth nothing.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int watched = 0, unrelated = 0;
    int *p = &watched, *q;
    memcpy(&q, &p, sizeof q);
    for (int i = 0; i < 100; i++)
        unrelated += i & 3;
    *q = __VERIFIER_nondet_int();
    if (watched == 9)
        reach_error();
    return unrelated;
}
