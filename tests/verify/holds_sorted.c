// args: verify --property unreach-call {}
// exit: 0
// Four numbers are sorted by insertion.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < 4; i++) {
        int value = a[i], j = i - 1;
        while (j >= 0 && a[j] > value) {
            a[j + 1] = a[j];
            j = j - 1;
        }
        a[j + 1] = value;
    }
    for (int i = 0; i < 3; i++)
        if (a[i] > a[i + 1])
            reach_error();
    return 0;
}
