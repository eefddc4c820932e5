// exit: 3
// Functions that run before `main` and after the program ends, by priority.
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void last(void) { puts("plain constructor"); }
__attribute__((constructor(200))) static void second(void) { puts("constructor 200"); }
__attribute__((constructor(101))) static void first(void) { puts("constructor 101"); }
__attribute__((destructor(101))) static void very_last(void) { puts("destructor 101"); }
__attribute__((destructor)) static void early(void) { puts("plain destructor"); }
static void registered(void) { puts("atexit"); }

int main(void) {
    atexit(registered);
    puts("main");
    return 3;
}
