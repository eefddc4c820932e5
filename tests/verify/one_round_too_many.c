// args: verify --engine abstract --property unreach-call {}
// exit: 3
// One round too many: not proved.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        abort();
    int x = 0;
    for (int i = 0; i <= n; i++)
        x++;
    if (x != n)
        reach_error();
    return 0;
}
