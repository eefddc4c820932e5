// args: verify --property unreach-call {}
// exit: 3
// Variables that were never set hold anything, each for itself; the machine that replays gives them zeros.
extern void reach_error(void);

int main(void) {
    int x, y;
    if (x)
        if (!y)
            reach_error();
    return 0;
}
