// args: verify --property assertion {}
// exit: 0
// Days of a month, by a table and by a formula.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
    int month = __VERIFIER_nondet_int();
    if (month < 1 || month > 12)
        return 0;
    int computed = month == 2 ? 28 : 30 + (month + month / 8) % 2;
    assert(computed == days[month - 1]);
    return 0;
}
