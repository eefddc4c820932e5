// exit: 125
#include <stdio.h>

static int mean(const int *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void) {
    int values[] = {1, 2, 3};
    printf("%d\n", mean(values, 3));
    printf("%d\n", mean(values, 0));
    return 0;
}
