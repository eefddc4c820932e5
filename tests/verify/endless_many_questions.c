// args: verify --property termination {}
// exit: 1
// What is asked from outside may be answered in the same way each time.
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int sum = 0;
    while (__VERIFIER_nondet_uint()) {
        if (__VERIFIER_nondet_uint() > 5)
            sum++;
        if (__VERIFIER_nondet_uint() == 7)
            sum = 0;
    }
    return sum > 0;
}
