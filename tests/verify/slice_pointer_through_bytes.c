// args: verify --property unreach-call {}
// exit: 1
// A pointer goes through an array of bytes, an integer and a structure; what it leads to is written.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct box {
    long number;
};

int main(void) {
    int watched = 0, unrelated = 0;
    int *p = &watched;
    char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    int *q;
    memcpy(&q, bytes, sizeof q);
    struct box box = {(long)q};
    struct box copy = box;
    while (unrelated < 100 && __VERIFIER_nondet_int())
        unrelated++;
    *(int *)copy.number = 1;
    if (watched)
        reach_error();
    return unrelated;
}
