// args: verify --property assertion {}
// exit: 1
// An `assert` that nobody declares still claims something; so do the functions that programs for CBMC use.
int nondet_int();

int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3);
    __CPROVER_assert(x > 2, "larger");
    assert(x != 77);
    return 0;
}
