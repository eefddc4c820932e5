// args: verify ../task/{}.yml
// exit: 2
int main(void) { return 0; }
