// args: verify --property valid-memsafety {}
// exit: 1
// A pointer far behind a block does not lead to it.
#include <stdlib.h>

int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    kept += 2;
    exit(0);
}
