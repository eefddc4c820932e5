// args: verify --property unreach-call {}
// exit: 3
// The array does not matter to the check. Where the write goes does.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int watched = 0;
    int unrelated[4];
    int at = __VERIFIER_nondet_int();
    unrelated[at] = 1;
    if (watched)
        reach_error();
    return 0;
}
