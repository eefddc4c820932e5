// args: verify --property unreach-call {}.yml
// exit: 1
// The sizes of types come from the task: with 64-bit `long` there is no violation.
extern void reach_error(void);

int main(void) {
    if (sizeof(long) == 4)
        reach_error();
    return 0;
}
