#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int counter(void) {
    static int calls;
    return ++calls;
}

static long factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int old_style(a, b)
int a;
char b;
{
    return a - b;
}

int main(void) {
    int numbers[] = {5, 2, 8, 1};
    qsort(numbers, 4, sizeof numbers[0], ascending);
    for (int i = 0; i < 4; i++)
        printf("%d ", numbers[i]);
    int (*operation)(int, ...) = sum;
    printf("\n%d %ld\n", operation(3, 10, 20, 30), factorial(15));
    counter();
    counter();
    printf("%d %d\n", counter(), old_style(10, 3));
    int wanted = 8;
    int *found = bsearch(&wanted, numbers, 4, sizeof numbers[0], ascending);
    printf("%d\n", (int)(found - numbers));
    return 0;
}
