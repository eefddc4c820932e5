// stdin: 3 4\n5 oops\n
#include <stdio.h>

int main(void) {
    int a, b, sum = 0;
    while (scanf("%d %d", &a, &b) == 2)
        sum += a * b;
    int c;
    char rest[16];
    int length = 0;
    while ((c = getchar()) != EOF && c != '\n')
        rest[length++] = (char)c;
    rest[length] = '\0';
    printf("%d, then %s\n", sum, rest);
    return 0;
}
