// args: verify --property termination --data-model ILP32 {}
// exit: 0
// A walk through memory of unknown content: it ends at a zero, or where the memory ends.
typedef unsigned int size_t;
extern void *malloc(size_t size);
extern int __VERIFIER_nondet_int(void);

static int length(const char *text) {
    const char *at = text;
    while (*at != '\0')
        at++;
    return (int)(at - text);
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    if (size < 1)
        size = 1;
    char *text = malloc(size);
    text[size - 1] = '\0';
    return length(text);
}
