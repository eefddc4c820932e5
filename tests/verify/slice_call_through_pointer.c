// args: verify --property unreach-call {}
// exit: 1
// The write lies in a function that is only called through a table.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int state, unrelated;
static int quiet(int x) { unrelated += x & 1; return x; }
static int loud(int x) { state = x; return 0; }
static int (*const table[2])(int) = {quiet, loud};

int main(void) {
    unsigned pick = __VERIFIER_nondet_int();
    for (int i = 0; i < 20; i++)
        unrelated ^= i;
    table[pick % 2](3);
    if (state == 3)
        reach_error();
    return 0;
}
