// args: validate witness.yml {}
// exit: 3
// What binds weaker than the alternatives makes them say nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 5, y = 0;
    while (x > 0)
        y ^= 1;
    return 0;
}
