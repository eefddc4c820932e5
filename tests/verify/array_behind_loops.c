// args: verify --property unreach-call {}
// exit: 1
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

enum { COUNT = 20000 };

int main(void) {
    int left[COUNT], right[COUNT];
    for (int i = 0; i < COUNT; i++) {
        left[i] = __VERIFIER_nondet_int();
        right[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < COUNT; i++)
        if (left[i] != right[i])
            reach_error();
    return 0;
}
