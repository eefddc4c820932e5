// args: validate witness.yml {}
// exit: 4
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > 100 || x < 0)
            return 0;
        sum += x;
    }
    if (sum == 207)
        reach_error();
    return 0;
}
