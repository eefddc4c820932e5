#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", 3000000000u, 48879u, 48879u, 48879u, 8u, 8u);
    printf("[%ld] [%lld] [%zu] [%hhd] [%hd]\n", 1L << 40, -(1LL << 40), sizeof(int), 300, 70000);
    printf("[%c] [%s] [%.3s] [%8s] [%-8s] [%%]\n", 'q', "quod", "quoderat", "erat", "dem");
    printf("[%f] [%.2f] [%10.3f] [%e] [%g] [%g]\n", 3.14159, 2.71828, 1.5, 12345.678, 0.0001, 1e10);
    printf("[%*d] [%.*f] [%-*d]\n", 6, 7, 2, 1.23456, 4, 9);
    printf("[%a] [%p]\n", 1.0, (void *)0);
    char text[8];
    int wanted = snprintf(text, sizeof text, "%s", "longer than eight");
    printf("%d %s\n", wanted, text);
    return 0;
}
