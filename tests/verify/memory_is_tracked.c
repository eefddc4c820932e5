// args: verify --property valid-memsafety {}
// exit: 0
// What a global variable leads to at the end is not lost.
#include <stdlib.h>

struct node {
    struct node *next;
} *list;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    return 0;
}
