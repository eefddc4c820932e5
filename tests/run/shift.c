// exit: 125
#include <stdio.h>

int main(void) {
    for (int n = 30; n < 34; n++)
        printf("%u\n", 1u << n);
    return 0;
}
