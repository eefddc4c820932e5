// args: verify {}
// exit: 0
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int limit, other;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        limit = 1;
        break;
    case 2:
        limit = other = 2;
        break;
    default:
        limit = __VERIFIER_nondet_int();
    }
    for (int step; limit > 0 && limit < 5; limit -= step)
        step = 1;
    return limit > 2;
}
