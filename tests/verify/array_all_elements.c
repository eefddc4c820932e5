// args: verify --property unreach-call --engine induction {}
// exit: 0
// What a loop copies is equal for all elements.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { COUNT = 100000 };
int values[COUNT];

int main(void) {
    int copies[COUNT];
    for (int i = 0; i < COUNT; i++)
        values[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT; i++)
        copies[i] = values[i];
    for (int i = 0; i < COUNT; i++)
        if (copies[i] != values[i])
            reach_error();
    return 0;
}
