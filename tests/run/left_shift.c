// GNU C defines `<<` on signed values: the bits move, and nothing else is asked.
#include <stdio.h>

int main(void) {
    int one = 1, minus = -3;
    printf("%d %d %d\n", one << 31, minus << 4, 0x7fffffff << 1);
    return 0;
}
