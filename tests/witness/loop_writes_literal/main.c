// args: validate witness.yml {}
// exit: 3
// A compound literal has no name, and is changed all the same.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int *p = &(int){0};
    while (__VERIFIER_nondet_int())
        *p = 1;
    if (*p)
        reach_error();
    return 0;
}
