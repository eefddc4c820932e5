// args: verify --property unreach-call --timeout 20 {}
// exit: 3
// What `lround` gives for a number that does not fit is any number.
#include <limits.h>
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double far = __VERIFIER_nondet_double();
    if (far > 1e30 && lround(far) != LONG_MIN)
        reach_error();
    return 0;
}
