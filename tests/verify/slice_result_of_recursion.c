// args: verify --property unreach-call {}
// exit: 1
// One call's result matters, another one's does not; both count calls in a variable that does.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int calls, noise;

static int down(int n) {
    calls++;
    noise ^= n;
    return n <= 0 ? 0 : 1 + down(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4)
        return 0;
    noise = down(n);
    int depth = down(2);
    if (depth == 2 && calls == 8)
        reach_error();
    return noise;
}
