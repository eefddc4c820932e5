// args: verify --property unreach-call {}
// exit: 0
// Classes of floats that are not known.
#include <math.h>

extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

static void must(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    float x = __VERIFIER_nondet_float();
    int class = fpclassify(x);
    must((class == FP_NAN) == (x != x));
    must((class == FP_ZERO) == (x == 0));
    must(class != FP_SUBNORMAL || fabsf(x) < 0x1p-126f);
    must(class != FP_NORMAL || fabsf(x) >= 0x1p-126f);
    double y = __VERIFIER_nondet_double();
    must(__builtin_fpclassify(10, 11, 12, 13, 14, y) != 11 || y - y != 0);
    return 0;
}
