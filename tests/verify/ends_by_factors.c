// args: verify --property termination {}
// exit: 0
// No sum of the two with factors one gets smaller each time; 21 * pending - 2 * value does.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int pending = 1;
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 200)
        return 0;
    while (pending > 0 && pending < 1000) {
        if (value > 100) {
            value = value - 10;
            pending = pending - 1;
        } else {
            value = value + 11;
            pending = pending + 1;
        }
    }
    return 0;
}
