// args: validate witness.yml {}
// exit: 4
// A macro of the program hides an assignment.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define STOP (i = 0)

int main(void) {
    int i = 0;
    while (i < 1000000)
        i++;
    if (i == 1000000)
        reach_error();
    return 0;
}
