// exit: 125
#include <stdlib.h>

int main(void) {
    char *text = malloc(10);
    char *alias = text;
    free(text);
    free(alias);
    return 0;
}
