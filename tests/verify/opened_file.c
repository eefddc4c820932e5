// args: verify --property unreach-call {}
// exit: 0
struct stream;
extern struct stream *fopen(const char *, const char *);
extern int fclose(struct stream *);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    struct stream *file = fopen("settings", "r");
    if (!file)
        return 1;
    unsigned count = 0;
    while (__VERIFIER_nondet_int())
        if (count < 10)
            count++;
    if (count > 10 || fclose(file) > 0)
        reach_error();
    return 0;
}
