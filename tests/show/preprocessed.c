// args: show --preprocessed -DN=3 {}
#define SQUARE(x) ((x) * (x))
#if N > 2
int n = SQUARE(N + 1);
#else
int n;
#endif
