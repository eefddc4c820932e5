// args: verify --property no-overflow {}
// exit: 1
// All sums but one are shown to fit; what that one depends on is kept.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0, total = 0;
    int limit = __VERIFIER_nondet_int();
    for (int i = 0; i < 100; i++)
        sum = (sum + i) % 1000;
    for (int i = 0; i < 3; i++)
        if (limit > 2147483640)
            total = limit + 5 * i;
    return total + sum;
}
