// exit: 4
#define SWAP(a, b) do { int t = a; a = b; b = tt; } while (0)

int main(void) {
    int x = 1, y = 2;
    SWAP(x, y);
    return x;
}
