// exit: 4
#include <stdio.h>

struct point {
    int x, y;
};

int length(struct point p) {
    return p.x * p.x + p.z;
}

int main(void) {
    struct point origin = {0, 0};
    int distance = length(origin)
    printf("%d\n", distence);
    return 0;
}
