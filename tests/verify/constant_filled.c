// args: verify --property valid-memsafety {}
// exit: 3
// The library writes to a constant array.
#include <string.h>
const int table[2] = {1, 2};

int main(void) {
    memset((void *)table, 0, sizeof table);
    return table[0];
}
