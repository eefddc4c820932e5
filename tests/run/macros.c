#include <stdio.h>

#define CAT(a, b) a##b
#define CAT2(a, b) CAT(a, b)
#define SHOW(format, ...) printf(format "\n", ##__VA_ARGS__)
#define OPTIONAL(x, ...) f(x __VA_OPT__(, ) __VA_ARGS__)
#define COUNT(...) COUNT_(__VA_ARGS__, 3, 2, 1)
#define COUNT_(a, b, c, n, ...) n
#define f(...) COUNT(__VA_ARGS__)
#define EMPTY
#define NAME(n) variable_##n
#if defined EMPTY && !defined(NOTHING) && (1 ? 2 : 3) == 2 && -1 < 0u == 0
#define RIGHT 1
#else
#define RIGHT 0
#endif

int main(void) {
    int NAME(3) = 4;
    SHOW("plain");
    SHOW("%d %d", CAT2(variable_, 3), CAT(1, 2));
    SHOW("%d %d %d", OPTIONAL(1), OPTIONAL(1, 2), OPTIONAL(1, 2, 3));
    SHOW("%d %s", RIGHT, "a" EMPTY "b");
    SHOW("%d", __LINE__);
    SHOW("%s", __func__);
    int first = __COUNTER__;
    SHOW("%d", __COUNTER__ - first);
#line 100 "renamed.c"
    SHOW("%d %s", __LINE__, __FILE__);
    return 0;
}
