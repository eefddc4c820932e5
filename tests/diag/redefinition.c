// exit: 4
int twice(int x) {
    return 2 * x;
}

int twice(int x) {
    return x + x;
}

enum { A, B, A };

int main(void) {
    int x = 1;
    long x = 2;
    return twice((int)x);
}
