// args: verify --property unreach-call {}
// exit: 1
// Inputs that are not in the slice come before, between and after those that are.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    int unrelated = 0;
    unsigned char count = __VERIFIER_nondet_uchar();
    for (int i = 0; i < count; i++)
        unrelated ^= __VERIFIER_nondet_int();
    int first = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++)
        unrelated ^= __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    if (first == 41 && second == first + 1)
        reach_error();
    return unrelated;
}
