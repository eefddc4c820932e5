// exit: 4
#include "outer.h"

int main(void) {
    return 0;
}
