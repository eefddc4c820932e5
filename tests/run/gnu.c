#include <stdio.h>

#define MAX(a, b) ({ typeof(a) left = (a); typeof(b) right = (b); left > right ? left : right; })
#define KIND(x) _Generic((x), int: "int", double: "double", char *: "string", default: "other")

int main(void) {
    int i = 3;
    printf("%d %d\n", MAX(i++, 2), i);
    printf("%s %s %s %s\n", KIND(1), KIND(1.0), KIND("x"), KIND(1u));
    printf("%d\n", i ?: 7);
    int table[] = {[0 ... 2] = 1, [4] = 5};
    printf("%d %d %d\n", table[2], table[3], (int)(sizeof table / sizeof *table));
    printf("%d %d\n", __builtin_popcount(255u), __builtin_clz(1u));
    int result;
    printf("%d\n", __builtin_add_overflow(2147483647, 1, &result));
    int twice(int x) { return 2 * x + i; }
    printf("%d\n", twice(5));
    _Static_assert(sizeof(int) == 4, "int has four bytes");
    __int128 big = (__int128)1 << 100;
    printf("%d\n", (int)(big >> 98));
    return 0;
}
