// args: verify --property unreach-call {}
// exit: 1
// Two entries into a loop, a switch that falls through, and a value that is set on one of the ways only.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int mode = __VERIFIER_nondet_int(), kept = 0, noise = 0, round = 0;
    switch (mode) {
    case 1:
        noise++;
        goto inside;
    case 2:
        kept = 1;
    case 3:
        noise += 2;
        break;
    default:
        noise = 9;
    }
again:
    noise ^= round;
    if (mode == 7)
        kept += 2;
inside:
    round++;
    if (round < 4)
        goto again;
    if (kept == 7)
        return 1;
    if (kept == 8)
        reach_error();
    return noise;
}
