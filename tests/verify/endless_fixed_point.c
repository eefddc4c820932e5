// args: verify --property termination {}
// exit: 1
// Some values come back to themselves, others leave.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int();
    while (level >= 0 && level <= 10)
        level = (3 * level + 4) / 3;
    int rest = __VERIFIER_nondet_int();
    while (rest >= 5 && rest <= 10)
        rest = (2 * rest + 1) / 2;
    return 0;
}
