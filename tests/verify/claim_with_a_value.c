// args: verify --property assertion {}
// exit: 1
// Also where somebody takes it for a function with a value.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int claimed = assert(x > 5);
    return 0;
}
