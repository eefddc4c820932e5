// args: verify --property division-by-zero {}
// exit: 0
// The average of the numbers that count, if there are any.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned sum = 0, count = 0;
    for (int i = 0; i < 5; i++) {
        int number = __VERIFIER_nondet_int();
        if (number >= 3 && number < 100) {
            sum += (unsigned)number;
            count++;
        }
    }
    if (count == 0)
        return 0;
    unsigned average = sum / count;
    return (int)(100 / average);
}
