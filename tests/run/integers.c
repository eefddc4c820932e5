#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned u = 0;
    u -= 1;
    printf("%u %d\n", u, u == UINT_MAX);
    unsigned char small = 250;
    small += 10;
    printf("%d\n", small);
    printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 % 3, -7 % 3);
    printf("%d %d\n", -8 >> 1, 1 << 10);
    printf("%d %d\n", (signed char)200, (short)70000);
    printf("%d\n", -1 < 1u);
    printf("%lu %lu %lu\n", (unsigned long)sizeof(long), (unsigned long)sizeof(void *), (unsigned long)sizeof(long double));
    printf("%lld\n", (long long)INT_MAX + 1);
    printf("%d\n", 'a' + 1 == 'b');
    uint64_t wide = UINT64_C(0x0123456789abcdef);
    printf("%llx\n", (unsigned long long)(wide << 4 | wide >> 60));
    return 0;
}
