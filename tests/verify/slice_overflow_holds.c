// args: verify --property no-overflow {}
// exit: 0
// A product that the intervals do not bound; the loop before it has no part in it.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int noise = 0;
    while (__VERIFIER_nondet_int())
        noise ^= 1;
    int x = __VERIFIER_nondet_int();
    if (x < -40000 || x > 40000 || x / 2 * 2 != x)
        return 0;
    if (x > 30000)
        x = 70000 - x;
    if (x < -30000)
        x = -70000 - x;
    return x * (x / 2) / 2 + (noise ? 1 : 0);
}
