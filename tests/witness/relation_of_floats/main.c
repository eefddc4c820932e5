// args: validate witness.yml {}
// exit: 3
// Earlier values of floats are not all looked at.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    double x = 0.5;
    while (x > 0)
        x = x;
    return 0;
}
