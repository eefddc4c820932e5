#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%.17g %.9g\n", 0.1 + 0.2, (double)(0.1f + 0.2f));
    printf("%d %d\n", 0.0 == -0.0, NAN == NAN);
    printf("%f %f\n", 1.0 / 0.0, -1.0 / 0.0);
    printf("%d %d %u\n", (int)2.9, (int)-2.9, (unsigned)3e9);
    printf("%.6f %.6f %.6f\n", sqrt(2.0), floor(-1.5), fmod(7.5, 2.0));
    printf("%d\n", DBL_EPSILON + 1.0 > 1.0);
    float f = 16777216.0f;
    printf("%d\n", f + 1.0f == f);
    printf("%.3Lf\n", 1.0L / 3.0L);
    return 0;
}
