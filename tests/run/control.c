#include <stdio.h>

static const char *kind(int c) {
    switch (c) {
    case '0' ... '9': return "digit";
    case 'a' ... 'z': return "letter";
    case ' ':
    case '\t': return "blank";
    default: return "other";
    }
}

int main(void) {
    for (const char *p = "a1 !"; *p; p++)
        printf("%s ", kind(*p));
    printf("\n");
    int i = 0;
again:
    do {
        if (i == 2)
            continue;
        printf("%d ", i);
    } while (++i < 4);
    if (i++ < 5)
        goto again;
    printf("| %d\n", i);
    void *jumps[] = {&&first, &&second};
    goto *jumps[1];
first:
    printf("first\n");
    return 0;
second:
    printf("second\n");
    goto *jumps[0];
}
