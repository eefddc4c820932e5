// args: verify --timeout 2 {}
// exit: 3
// Unbounded: ends at the time limit, without an answer.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned n = 0;
    while (__VERIFIER_nondet_int())
        n++;
    return 0;
}
