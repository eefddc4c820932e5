#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *end;
    errno = 0;
    long value = strtol("99999999999999999999", &end, 10);
    printf("%d %d %d\n", value == LONG_MAX, errno == ERANGE, *end);
    value = strtol("0x1fz", &end, 0);
    printf("%ld %s\n", value, end);
    int a;
    char word[10];
    double d;
    printf("%d", sscanf("12 abc 2.5", "%d %9s %lf", &a, word, &d));
    printf(" %d %s %.1f\n", a, word, d);
    printf("%" PRIu64 " %" PRIx32 "\n", UINT64_MAX, UINT32_C(0xcafe));
    printf("%d %d %d\n", !!isalpha('q'), !!isspace('q'), tolower('Q'));
    printf("%.4f %.4f %.4f %.4f\n", pow(2, 0.5), exp(1), log(10), atan2(1, 1));
    printf("%.1f %.1f %.1f %ld\n", ceil(1.2), round(2.5), trunc(-1.7), lround(3.5));
    printf("%d %d\n", abs(-3), (int)labs(-4L));
    div_t parts = div(-7, 2);
    printf("%d %d\n", parts.quot, parts.rem);
    char buffer[40];
    int written = sprintf(buffer, "%05.1f|%-6s|%+d", 3.14159, "ab", 5);
    printf("%d %s\n", written, buffer);
    printf("%d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abc", 3));
    printf("%zu %zu %s\n", strspn("aabc", "ab"), strcspn("hello", "l"), strpbrk("hello", "lo"));
    char *copy = strdup("copied");
    copy[0] = 'C';
    puts(copy);
    free(copy);
    srand(1);
    int r = rand();
    printf("%d\n", r >= 0 && r <= RAND_MAX);
    fputs("done", stdout);
    putchar('\n');
    fprintf(stderr, "to stderr\n");
    return 0;
}
