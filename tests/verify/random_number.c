// args: verify {}
// exit: 3
// `rand` could give any number; one of them would not be enough.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(rand() != 1804289382);
    return 0;
}
