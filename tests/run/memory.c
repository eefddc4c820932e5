#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    size_t length;
    char bytes[];
};

int main(void) {
    int *squares = malloc(5 * sizeof *squares);
    for (int i = 0; i < 5; i++)
        squares[i] = i * i;
    squares = realloc(squares, 10 * sizeof *squares);
    squares[9] = 81;
    printf("%d %d\n", squares[4], squares[9]);
    free(squares);
    struct buffer *b = calloc(1, sizeof *b + 6);
    b->length = 5;
    memcpy(b->bytes, "hello", 6);
    printf("%zu %s\n", b->length, b->bytes);
    free(b);
    int n = 3;
    int matrix[n][n + 1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++)
            matrix[i][j] = i * 10 + j;
    printf("%d %zu\n", matrix[2][3], sizeof matrix);
    unsigned value = 0x01020304;
    unsigned char *byte = (unsigned char *)&value;
    printf("%d %d\n", byte[0], byte[3]);
    return 0;
}
