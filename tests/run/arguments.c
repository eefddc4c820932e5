// args: run {} -- one two three
// exit: 4
#include <stdio.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argv[argc] == NULL ? argc : 0;
}
