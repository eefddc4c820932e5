// args: verify --property valid-memsafety {}
// exit: 1
// A null pointer is no text.
#include <stdio.h>

int main(void) {
    char *p = 0;
    puts(p);
    return 0;
}
