// args: verify --property pointer-arithmetic {}
// exit: 1
// The distance in bytes does not fit: that it wraps around to a place inside does not make it one.
#include <stdint.h>

int main(void) {
    int32_t numbers[5];
    int32_t *second = &numbers[1];
    int32_t *far = second + PTRDIFF_MAX;
    return far == 0;
}
