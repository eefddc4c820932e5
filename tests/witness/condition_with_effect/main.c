// args: validate witness.yml {}
// exit: 4
// A condition must not change the program.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned even = 0, steps = 0;
    while (steps < n) {
        even += 2;
        steps++;
    }
    if (even % 2 != 0 || even != 2 * steps)
        reach_error();
    return 0;
}
