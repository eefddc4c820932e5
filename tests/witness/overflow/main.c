// args: validate --property no-overflow witness.yml {}
// exit: 1
// The sum overflows in both places; the witness names the second.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = a + 1;
    int c = b + 10;
    return c - a;
}
