// exit: 125
#include <assert.h>

static int square(int x) {
    return x * x;
}

int main(void) {
    int x = 3;
    assert(square(x) == 9);
    assert(square(x) == 10);
    return 0;
}
