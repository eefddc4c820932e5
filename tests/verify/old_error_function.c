// args: verify --property unreach-call {}
// exit: 1
// The error function of the competition's early years, which nobody defines.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7)
        __VERIFIER_error();
    return 0;
}
