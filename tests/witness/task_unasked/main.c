// args: verify --property termination ../task/{}.yml
// exit: 2
int main(void) { return 0; }
