// args: verify --property valid-memsafety {}
// exit: 3
// A call through a null pointer.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    void (*f)(void) = 0;
    if (__VERIFIER_nondet_int())
        f();
    return 0;
}
