// args: verify --property unreach-call --engine induction {}
// exit: 0
// A condition that the last loop asks of one element is an invariant of the loop before it, for all elements passed.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { COUNT = 2000 };

int main(void) {
    int values[COUNT], most = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        if (values[i] > most)
            most = values[i];
    for (int i = 0; i < COUNT; i++)
        if (values[i] > most)
            reach_error();
    return 0;
}
