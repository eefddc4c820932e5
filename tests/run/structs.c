#include <stdio.h>

struct point {
    int x, y;
};

struct shape {
    const char *name;
    struct point corners[3];
    union {
        int radius;
        struct {
            short width, height;
        };
    };
    unsigned is_filled : 1, layer : 3;
};

static struct point moved(struct point p, int by) {
    p.x += by;
    p.y -= by;
    return p;
}

int main(void) {
    struct shape s = {.name = "triangle", .corners = {[1] = {1, 2}, {3, 4}}, .width = 7, .layer = 9u & 7u};
    struct shape copy = s;
    copy.corners[1] = moved(copy.corners[1], 10);
    printf("%s %d %d\n", copy.name, copy.corners[1].x, copy.corners[1].y);
    printf("%d %d %d\n", s.corners[0].x, s.corners[1].y, s.corners[2].x);
    printf("%d %d %u %u\n", s.width, s.height, s.is_filled, s.layer);
    struct point *p = &(struct point){5, 6};
    printf("%d\n", p->x * moved(*p, 1).y);
    return 0;
}
