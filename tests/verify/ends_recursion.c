// args: verify --property termination {}
// exit: 0
// Both functions call each other with less.
extern int __VERIFIER_nondet_int(void);

static int even(int n);

static int odd(int n) {
    if (n == 0)
        return 0;
    return even(n - 1);
}

static int even(int n) {
    if (n == 0)
        return 1;
    return odd(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    return even(n);
}
