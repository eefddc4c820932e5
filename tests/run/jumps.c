#include <setjmp.h>
#include <stdio.h>

static jmp_buf target;

static void fail(int code) {
    printf("failing with %d\n", code);
    longjmp(target, code);
}

int main(void) {
    volatile int tries = 0;
    int code = setjmp(target);
    if (code < 3) {
        tries++;
        fail(code + 1);
    }
    printf("%d after %d tries\n", code, tries);
    return 0;
}
