// exit: 4
#include <stdoi.h>
#include "list.h"

int main(void) {
    return 0;
}
