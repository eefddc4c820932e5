// args: validate witness.yml {}
// exit: 0
// The loop is too long to be unrolled: only its invariant carries the proof.
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
