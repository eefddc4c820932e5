// Records of GNU C with members of variable length, and arrays that a nested function uses.
#include <stdio.h>
#include <string.h>

static int size_of(int n) {
    struct s {
        char b[n];
    } __attribute__((packed));
    n++;
    return sizeof(struct s);
}

static void fill(int n) {
    struct mixed {
        char first;
        short list[n];
        unsigned flag : 1;
        long long last;
    } __attribute__((packed)) one, two[3];
    memset(&one, 0, sizeof one);
    one.first = 'a';
    for (int i = 0; i < n; i++)
        one.list[i] = (short)(i * 100);
    one.flag = 1;
    one.last = -5;
    two[2] = one;
    printf("%zu %c %d %d %lld\n", sizeof one, two[2].first, two[2].list[n - 1], two[2].flag, two[2].last);
    struct aligned {
        char first;
        double list[n];
        char middle[n];
        int last;
    } wide;
    printf("%zu %td %td %td\n", sizeof wide, (char *)wide.list - (char *)&wide, (char *)wide.middle - (char *)&wide,
           (char *)&wide.last - (char *)&wide);
}

static int nested(int n) {
    int list[n];
    int get(int i) { return list[i]; }
    list[1] = 4711;
    return get(1);
}

static int copied(void *from, int n) {
    struct s {
        char text[n];
    } *p = from, a;
    a = ({
        struct s b;
        b = p[1];
        p[2] = b;
    });
    return strcmp(a.text, "seven") || strcmp(p[2].text, "seven");
}

int main(void) {
    char rows[3][8] = {"one", "seven", "eleven"};
    printf("%d\n", size_of(123));
    fill(3);
    fill(4);
    printf("%d %d\n", nested(2), copied(rows, 8));
    return 0;
}
