// exit: 125
#include <ctype.h>

int main(void) {
    char *text = "hello";
    text[0] = (char)toupper(text[0]);
    return 0;
}
