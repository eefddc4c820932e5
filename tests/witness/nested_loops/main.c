// args: validate witness.yml {}
// exit: 3
// What the inner loop changes is unknown behind it, also where its variables belong to the outer one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    while (__VERIFIER_nondet_int()) {
        int changed = 0;
        for (int i = 0; i < 1000; i++)
            changed = 1;
        if (changed)
            reach_error();
    }
    return 0;
}
