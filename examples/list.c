// A list that is freed in the wrong order. Compilers accept it, and it often seems to work.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    return node;
}

static void destroy(struct node *head) {
    for (struct node *node = head; node != NULL; node = node->next)
        free(node);
}

int main(void) {
    struct node *head = NULL;
    for (int i = 1; i <= 3; i++)
        head = push(head, i);
    int sum = 0;
    for (struct node *node = head; node != NULL; node = node->next)
        sum += node->value;
    printf("sum: %d\n", sum);
    destroy(head);
    return 0;
}
