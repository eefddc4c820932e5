// The result of a built-in with a type in its name has that type, whatever is pointed to.
#include <stdio.h>

int main(void) {
    unsigned long place = 7;
    int is_over = __builtin_umul_overflow(0xffffffffu, 0x80000002u, (void *)&place);
    printf("%d %lx\n", is_over, place);
    is_over = __builtin_mul_overflow(0xffffffffu, 0x80000002u, &place);
    printf("%d %lx\n", is_over, place);
    long wide = -1;
    is_over = __builtin_sadd_overflow(0x7fffffff, 1, (int *)&wide);
    printf("%d %lx\n", is_over, wide);
    is_over = __builtin_ssubl_overflow(1, 2, &wide);
    printf("%d %ld\n", is_over, wide);
    return 0;
}
