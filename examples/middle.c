// The middle of two numbers lies between them, whatever they are: `quod verify examples/middle.c`.
// With `(low + high) / 2` it does not, and two numbers are shown for which it does not.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
    return low + (int)(((unsigned)high - (unsigned)low) / 2);
}

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low <= high) {
        int found = middle(low, high);
        assert(low <= found && found <= high);
    }
    return 0;
}
