// exit: 125
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(3 * sizeof *numbers);
    numbers[0] = 1;
    numbers[2] = 3;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += numbers[i];
    return sum;
}
