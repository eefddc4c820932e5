// args: verify --property valid-memsafety {}
// exit: 0
// A pointer to the end of a block leads to it.
#include <stdlib.h>

int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    kept += 1;
    exit(0);
}
