// args: validate witness.yml {}
// exit: 4
// A call in an unusual spelling is a call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void abort(void);

int main(void) {
    int i = 0;
    while (i < 1000000)
        i++;
    if (i == 1000000)
        reach_error();
    return 0;
}
