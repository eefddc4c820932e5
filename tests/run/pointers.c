#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pair {
    int first;
    double second;
};

static int apply(int (*operation)(int, int), int a, int b) {
    return operation(a, b);
}
static int add(int a, int b) {
    return a + b;
}
static int multiply(int a, int b) {
    return a * b;
}

int main(void) {
    int grid[3][4] = {{1, 2}, {[3] = 7}};
    int(*row)[4] = grid + 1;
    printf("%d %d %td\n", (*row)[3], grid[0][1], &grid[2][0] - &grid[0][0]);
    int(*table[])(int, int) = {add, multiply};
    printf("%d %d\n", apply(table[0], 3, 4), apply(*table[1], 3, 4));
    struct pair pairs[2] = {{1, 1.5}, {2, 2.5}};
    struct pair *p = pairs;
    int first = p++->first;
    printf("%d %.1f %zu\n", first, p->second, offsetof(struct pair, second));
    const char *words[] = {"zero", "one", NULL};
    for (const char **word = words; *word; ++word)
        printf("%s ", *word);
    uintptr_t address = (uintptr_t)&grid[1];
    int *back = (int *)(address + 3 * sizeof(int));
    printf("%d\n", *back);
    void *any = pairs;
    struct pair copy = ((struct pair *)any)[1];
    printf("%.1f %c\n", copy.second, 2["abc"]);
    return 0;
}
