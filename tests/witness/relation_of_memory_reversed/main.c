// args: validate witness.yml {}
// exit: 3
// What the pointer points to does not get larger.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long size);

int main(void) {
    int *count = malloc(sizeof(int));
    *count = __VERIFIER_nondet_int();
    while (*count > 0)
        *count = *count - 1;
    return 0;
}
