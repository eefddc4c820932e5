#include <complex.h>
#include <stdio.h>

int main(void) {
    double complex z = 3.0 + 4.0 * I;
    z = z * z + 1;
    printf("%.1f %.1f\n", creal(z), cimag(z));
    float _Complex w = 1.0f - 2.0if;
    printf("%.1f %.1f\n", __real__(w * w), __imag__ w);
    printf("%d\n", z == -6 + 24 * I);
    return 0;
}
