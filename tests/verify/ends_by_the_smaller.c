// args: verify --property termination {}
// exit: 0
// The smaller of the two gets smaller, whatever the larger becomes.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int left = __VERIFIER_nondet_int();
    int right = __VERIFIER_nondet_int();
    while (left > 0 && right > 0 && left != right) {
        if (left < right) {
            left = left - 1;
            right = __VERIFIER_nondet_int();
        } else {
            right = right - 1;
            left = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
