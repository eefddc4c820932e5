// args: verify {}
// exit: 3
// Only one list of arguments would be looked at.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc < 3);
    return 0;
}
