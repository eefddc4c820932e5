// args: verify --property assertion {}
// exit: 0
// The operands call functions, but none of them changes what another one looks at.
#include <assert.h>

static int square(int x) {
    return x * x;
}

static int steps;

static int counted(int x) {
    steps++;
    return x + 1;
}

int main(void) {
    assert(square(3) + square(4) == square(5));
    assert(square(2) + counted(1) == 6);
    return 0;
}
