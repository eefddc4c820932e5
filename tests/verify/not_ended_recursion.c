// args: verify --property termination --engine induction {}
// exit: 3
// One of the calls begins with more.
extern int __VERIFIER_nondet_int(void);

static int step(int n) {
    if (n <= 0)
        return 0;
    if (__VERIFIER_nondet_int())
        return step(n - 1);
    return step(n + 1 > 100 ? n : n + 1);
}

int main(void) {
    return step(__VERIFIER_nondet_int() % 50);
}
