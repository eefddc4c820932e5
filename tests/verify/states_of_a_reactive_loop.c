// args: verify --property unreach-call {}
// exit: 0
// The loop never ends, but its states are few once the names of inputs do not count.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int is_locked = 0;
    while (1) {
        int request = __VERIFIER_nondet_int();
        if (request > 0) {
            if (is_locked)
                is_locked = 0;
            else
                is_locked = 1;
        }
        if (is_locked != 0 && is_locked != 1)
            reach_error();
    }
}
