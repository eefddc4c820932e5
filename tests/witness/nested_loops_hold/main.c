// args: validate witness.yml {}
// exit: 0
// The inner loop does not change what the outer one counts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned rounds = 0;
    while (rounds < 1000) {
        int sum = 0;
        for (int i = 0; i < 1000; i++)
            sum ^= i;
        rounds++;
    }
    if (rounds != 1000)
        reach_error();
    return 0;
}
