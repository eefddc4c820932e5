// args: verify --property valid-memsafety --engine induction {}
// exit: 0
// All accesses are inside of an object whose size is not known.
extern int __VERIFIER_nondet_int(void);
extern void *alloca(unsigned long);

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1)
        return 0;
    char *text = alloca(length);
    for (int i = 0; i < length - 1; i++)
        text[i] = __VERIFIER_nondet_int();
    text[length - 1] = 0;
    while (*text)
        text++;
    return 0;
}
