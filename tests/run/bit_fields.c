#include <stdio.h>
#include <string.h>

struct flags {
    unsigned low : 3;
    signed middle : 5;
    unsigned : 0;
    unsigned long long high : 40;
    _Bool is_set : 1;
};

struct __attribute__((packed)) packed {
    char kind;
    int value;
    unsigned a : 4, b : 12;
};

int main(void) {
    struct flags f = {0};
    f.low = 9;
    f.middle = 17;
    f.high = 0xffffffffffULL;
    f.high++;
    f.is_set = 256;
    printf("%u %d %llu %d\n", f.low, f.middle, (unsigned long long)f.high, f.is_set);
    struct packed p = {'x', -2, 15, 4000};
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    for (size_t i = 0; i < sizeof p; i++)
        printf("%02x", bytes[i]);
    printf(" %zu %d\n", sizeof p, p.a + p.b);
    return 0;
}
