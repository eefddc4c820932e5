// args: verify --property unreach-call {}
// exit: 1
// A pointer from outside may be null also where it becomes a `_Bool`.
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);

int main(void) {
    _Bool is_set = __VERIFIER_nondet_pointer();
    if (!is_set) {
        reach_error();
    }
    return 0;
}
