#include <stdio.h>

static unsigned depth(unsigned n) {
    return n == 0 ? 0 : 1 + depth(n - 1);
}

int main(void) {
    printf("%u\n", depth(100000));
    return 0;
}
