// args: verify --property unreach-call {}
// exit: 0
// Two to the fortieth paths, few states where they are joined.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned count = 0;
    for (int i = 0; i < 40; i++)
        if (__VERIFIER_nondet_int())
            count++;
    if (count > 40)
        reach_error();
    return 0;
}
