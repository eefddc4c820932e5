// args: verify --property no-overflow {}
// exit: 1
// The least number has no negative of its type.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int step = __VERIFIER_nondet_int();
    return abs(step) > 10;
}
