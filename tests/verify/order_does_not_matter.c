// args: verify --property assertion {}
// exit: 0
// The operands call functions, but none of them changes what another one looks at.
#include <assert.h>
#include <stdlib.h>

static int square(int x) {
    return x * x;
}

static int steps;

static int counted(int x) {
    steps++;
    return x + 1;
}

struct pair {
    int first, second;
};

static struct pair *make(int first) {
    struct pair *pair = malloc(sizeof *pair);
    pair->first = first;
    pair->second = first + 1;
    return pair;
}

static int sum(struct pair *one, struct pair *other) {
    return one->first + other->second;
}

int main(void) {
    assert(sum(make(1), make(2)) == 4);
    assert(square(3) + square(4) == square(5));
    assert(square(2) + counted(1) == 6);
    return 0;
}
