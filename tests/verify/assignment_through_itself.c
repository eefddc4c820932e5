// args: verify --property valid-deref --check assertion {}
// exit: 0
// The value of an assignment is what was stored, also where the store changes the way to the place.
#include <assert.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node one = {&one};
    struct node *value = one.next->next = 0;
    assert(value == 0);
    struct node two[2] = {{two}, {0}};
    value = ++two[0].next->next;
    assert(value == &two[1]);
    return 0;
}
