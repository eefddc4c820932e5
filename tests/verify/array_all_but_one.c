// args: verify --property unreach-call {}
// exit: 1
// All elements but the last are copied.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { COUNT = 2000 };

int main(void) {
    int values[COUNT], copies[COUNT];
    copies[COUNT - 1] = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < COUNT - 1; i++)
        copies[i] = values[i];
    for (int i = 0; i < COUNT; i++)
        if (copies[i] != values[i])
            reach_error();
    return 0;
}
