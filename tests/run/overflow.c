// exit: 125
#include <limits.h>
#include <stdio.h>

int main(void) {
    int x = INT_MAX - 2;
    for (int i = 0; i < 5; i++) {
        printf("%d\n", x);
        x = x + 1;
    }
    return 0;
}
