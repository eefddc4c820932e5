// args: show --ast {}
int twice(int x) {
    return 2 * x;
}
