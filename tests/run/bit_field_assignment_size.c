// How large the value of an assignment to a bit-field is: as gcc has it.
#include <stdio.h>

struct fields {
    unsigned long a : 3;
    unsigned b : 1;
    int c : 10;
    unsigned d : 20;
    long e : 40;
    _Bool f : 1;
} x;

int main(void) {
    printf("%zu %zu %zu ", sizeof(x.a += 1), sizeof(x.b = 1), sizeof(x.c = 1));
    printf("%zu %zu %zu\n", sizeof(x.d++), sizeof(x.e = 1), sizeof(--x.f));
    return 0;
}
