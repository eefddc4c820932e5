// exit: 125
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *word = "quod";
    char *copy = malloc(strlen(word));
    strcpy(copy, word);
    free(copy);
    return 0;
}
