// exit: 4
#if defined(A) && 1
#error "A must not be defined"
#elif 1 / 0
#endif
#ifdef NEVER_ENDS
int main(void) {
    return 0;
}
