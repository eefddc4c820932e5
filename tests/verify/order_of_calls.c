// args: verify --property assertion {}
// exit: 3
// C leaves open which argument is evaluated first, and compilers differ: 5 and 7 are both possible.
#include <assert.h>

static int count;

static int next(void) {
    return ++count;
}

static int weigh(int first, int second) {
    return 3 * first + second;
}

int main(void) {
    assert(weigh(next(), next()) == 5);
    return 0;
}
