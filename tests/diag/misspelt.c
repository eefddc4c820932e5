// exit: 4
#include <stdoi.h>

int main(void) {
    int x = 3;
    whlie (x > 0) {
        x--;
    }
    if (x) {
        x = 1;
    }
    esle {
        x = y;
    }
    strlne("abc");
    strlen("abc");
    retrun 0;
}
