// args: verify --property unreach-call {}
// exit: 1
// Nothing is copied from `secret`: it only decides which way is taken.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int secret = __VERIFIER_nondet_int(), seen = 0, unrelated = 0;
    for (int i = 0; i < 5; i++) {
        unrelated += i;
        if (secret == 12345)
            goto found;
        if (unrelated > 100)
            continue;
    }
    return unrelated;
found:
    seen = 1;
    if (seen)
        reach_error();
    return 0;
}
