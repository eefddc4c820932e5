// exit: 125
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node last = {1, NULL};
    struct node *node = &last;
    while (node->value != 2)
        node = node->next;
    return 0;
}
