// args: verify {}
// exit: 1
// What was never set is compared on one of the ways.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int limit;
    if (__VERIFIER_nondet_int())
        limit = 3;
    return limit > 2;
}
