// args: validate witness.yml {}
// exit: 0
// The loop changes an array; the invariant speaks of the index, and the property of memory.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[10] = { 0 };
    unsigned i = 0;
    for (;;) {
        i = (i + __VERIFIER_nondet_uint() % 3) % 10;
        a[i]++;
        if (a[i] == 1000)
            break;
    }
    return a[i];
}
