// args: verify --property unreach-call {}
// exit: 3
// `%n` writes through its argument: what is not understood is not called unchanged.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int written = 0;
    printf("hello%n", &written);
    if (written == 5) {
        reach_error();
    }
    return 0;
}
