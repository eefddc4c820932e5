// fixme: the value of a function that ended without one is used, and nothing is said
// exit: 0
static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(void) {
    return sign(0);
}
