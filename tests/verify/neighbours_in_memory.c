// args: verify --property unreach-call {}
// exit: 3
// Behind the end of one object another may begin, and a new block may be where an old one was.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    int *block = malloc(sizeof *block);
    int *larger = realloc(block, 2 * sizeof *block);
    if (larger == block) {
        reach_error();
    }
    free(larger);
    return 0;
}
