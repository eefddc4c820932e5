#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[32] = "quod erat";
    strcat(text, " demonstrandum");
    printf("%zu %s\n", strlen(text), text);
    printf("%d %d\n", strcmp("abc", "abd") < 0, strncmp("abc", "abd", 2));
    printf("%s %s\n", strchr(text, 'e'), strrchr(text, 'd'));
    printf("%s\n", strstr(text, "dem"));
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        printf("<%s>", word);
    printf("\n");
    char upper[8] = {0};
    for (int i = 0; "quod"[i]; i++)
        upper[i] = (char)toupper("quod"[i]);
    printf("%s\n", upper);
    printf("%d %ld %.2f\n", atoi("  42x"), strtol("ff", NULL, 16), strtod("2.5e1", NULL));
    int numbers[4];
    memset(numbers, 0, sizeof numbers);
    memcpy(numbers, (int[]){1, 2}, 2 * sizeof(int));
    memmove(numbers + 1, numbers, 2 * sizeof(int));
    printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
    return 0;
}
