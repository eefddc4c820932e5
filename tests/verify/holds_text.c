// args: verify --property valid-memsafety {}
// exit: 0
// A text of limited length is copied without its blanks.
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[6];
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    int length = 0;
    while (text[length] != 0)
        length++;
    char *copy = malloc((unsigned)length + 1);
    int to = 0;
    for (int from = 0; from < length; from++)
        if (text[from] != ' ')
            copy[to++] = text[from];
    copy[to] = 0;
    free(copy);
    return to;
}
