// A hidden object of a vector operation does not take the place of another one.
#include <stdio.h>

typedef unsigned char bytes __attribute__((vector_size(4)));

static bytes half(bytes v) {
    return v / (bytes){2, 2, 2, 2};
}

int main(void) {
    bytes x = {8, 6, 5, 3};
    for (int i = 0; i < 2; i++)
        x = half(x);
    printf("%d %d %d %d\n", x[0], x[1], x[2], x[3]);
    return 0;
}
