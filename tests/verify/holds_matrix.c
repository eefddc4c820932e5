// args: verify --property valid-memsafety {}
// exit: 0
// Rows of a triangle, each as long as its number says.
#include <stdlib.h>

int main(void) {
    int *rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = malloc(sizeof(int) * (unsigned)(i + 1));
        for (int j = 0; j <= i; j++)
            rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
    }
    int middle = rows[3][1];
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    return middle;
}
