// args: verify --property no-overflow {}
// exit: 0
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int step = __VERIFIER_nondet_int();
    if (step == INT_MIN)
        return 1;
    return abs(step) > 10;
}
