// args: verify --property valid-memcleanup {}
// exit: 0
// A list is made and taken apart again.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        node->value = i;
        head = node;
    }
    int sum = 0;
    while (head != 0) {
        struct node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    return sum;
}
