// args: verify --property valid-memsafety {}
// exit: 1
#include <stdlib.h>

int main(void) {
    char *text = malloc(4);
    text = 0;
    text = malloc(2);
    free(text);
    return 0;
}
