// args: verify --property unreach-call {}
// exit: 0
// A ring of places keeps the order of what is put into it.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int ring[3];
unsigned first, used;

int main(void) {
    int put = 0, taken = 0;
    for (int step = 0; step < 6; step++) {
        if (__VERIFIER_nondet_int() > 0) {
            if (used < 3) {
                ring[(first + used) % 3] = put;
                put++;
                used++;
            }
        } else if (used > 0) {
            if (ring[first] != taken)
                reach_error();
            first = (first + 1) % 3;
            taken++;
            used--;
        }
    }
    int rest = __VERIFIER_nondet_int();
    __VERIFIER_assume(rest > 4);
    if (rest <= 4)
        reach_error();
    return 0;
}
