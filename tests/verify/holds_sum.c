// args: verify --property no-overflow {}
// exit: 0
// The sum of a few small numbers fits.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int number = __VERIFIER_nondet_int();
        if (number < 0 || number > 500000000)
            number = 0;
        sum = sum + number;
    }
    int distance = __VERIFIER_nondet_int();
    if (distance > -2147483647)
        distance = distance - 1;
    return sum - 1;
}
