// args: verify --property termination {}
// exit: 0
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 0;
    for (int i = 0; i < 6; i++)
        if (__VERIFIER_nondet_int())
            sum += i;
    return sum;
}
