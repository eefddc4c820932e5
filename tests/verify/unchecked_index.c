// args: verify --property unreach-call {}
// exit: 3
// Where the access is not checked, what lies outside must not be taken for what lies inside.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[2] = { 1, 1 };
    int i = __VERIFIER_nondet_int();
    if (a[i] != 1)
        reach_error();
    return 0;
}
