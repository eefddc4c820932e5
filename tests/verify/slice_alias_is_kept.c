// args: verify --property unreach-call {}
// exit: 1
// What a pointer may lead to is written through it: the write stays in the slice.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int watched, other, unrelated;

void set(int *where, int value) { *where = value; }

int main(void) {
    int *p = __VERIFIER_nondet_int() ? &watched : &other;
    for (int i = 0; i < 10; i++)
        unrelated += i;
    set(p, 7);
    if (watched == 7)
        reach_error();
    return unrelated;
}
