// args: verify --property unreach-call {}
// exit: 3
// C leaves open whether `x` is read before or after the call that changes it.
extern void reach_error(void);

int set(int *place) {
    *place = 5;
    return 0;
}

int main(void) {
    int x = 1;
    if (x + set(&x) == 1)
        reach_error();
    return 0;
}
