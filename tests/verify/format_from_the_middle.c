// args: verify --property unreach-call {}
// exit: 3
// Read from its second character, `%%n` is `%n`, which writes.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int x = 7;
    printf("abc%%n" + 4, &x);
    if (x != 7)
        reach_error();
    return 0;
}
