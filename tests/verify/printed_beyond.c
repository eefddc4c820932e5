// args: verify --property valid-memsafety {}
// exit: 3
// Neither is what lies behind the end of one.
#include <stdio.h>

int main(void) {
    puts("abc" + 10);
    return 0;
}
