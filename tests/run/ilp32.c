// args: run --data-model ILP32 {}
#include <stdio.h>

struct mixed {
    char c;
    long long l;
    void *p;
    double d;
};

int main(void) {
    printf("%d %d %d %d %d\n", (int)sizeof(int), (int)sizeof(long), (int)sizeof(void *), (int)sizeof(long double),
           (int)sizeof(struct mixed));
    return 0;
}
