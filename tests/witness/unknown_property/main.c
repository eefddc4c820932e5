// args: verify --property no-overfow {}
// exit: 2
int main(void) { return 0; }
