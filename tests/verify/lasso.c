// args: verify --property termination {}
// exit: 1
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    while (x != 0)
        x = x > 0 ? -x : -x;
    return 0;
}
