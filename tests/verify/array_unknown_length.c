// args: verify --property valid-memsafety --data-model ILP32 --engine induction {}
// exit: 0
// All accesses are inside of an object whose size is not known.
extern int __VERIFIER_nondet_int(void);
extern void *alloca(unsigned);

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1)
        return 0;
    char *text = alloca(length);
    for (int i = 0; i < length; i++)
        text[i] = 'x';
    return text[length - 1];
}
