// args: verify --property unreach-call {}
// exit: 3
// Nobody knows what a function that is defined nowhere gives, whatever it is called.
extern void *kmalloc(unsigned long size, int flags);
extern void reach_error(void);

int main(void) {
    if (!kmalloc(4, 0)) {
        reach_error();
    }
    return 0;
}
