#include <stdbool.h>
#include <stdio.h>

int main(void) {
    char c = 127;
    c++;
    unsigned char u = 0;
    u--;
    short s = (short)40000;
    bool b = 0.1;
    printf("%d %d %d %d\n", c, u, s, b);
    unsigned x = -1;
    long long wide = x;
    printf("%lld %lld\n", wide, (long long)(int)x);
    printf("%d %d\n", sizeof('a') == sizeof(int), sizeof(c + c) == sizeof(int));
    printf("%d\n", (unsigned char)~0x0f >> 2);
    int i = 7;
    i += 3.9;
    i <<= 2;
    i ^= 5;
    int old = i++;
    printf("%d %d %d\n", i, old + 1, -i);
    printf("%.1f %d\n", 7 / 2 + 7 / 2.0, (int)1e9f);
    enum color { RED = -1, GREEN, BLUE = 'b' } color = BLUE;
    printf("%d %d\n", color, GREEN);
    printf("%d\n", (int)(0.1f + 0.7f) * 10);
    return 0;
}
