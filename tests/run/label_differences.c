// GNU C computes with the addresses of labels as with pointers into one array.
#include <stdio.h>

static int run(const int *program) {
    static const int table[] = {&&add - &&add, &&twice - &&add, &&stop - &&add};
    int value = 1;
    goto *(&&add + table[*program++]);
add:
    value += 5;
    goto *(&&add + table[*program++]);
twice:
    value *= 2;
    goto *(&&add + table[*program++]);
stop:
    return value;
}

int main(void) {
    const int program[] = {0, 1, 1, 0, 2};
    printf("%d\n", run(program));
    return 0;
}
