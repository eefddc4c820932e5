// args: verify --property termination {}
// exit: 1
// Without wrapping around it would end.
int main(void) {
    unsigned char count = 0;
    int total = 3;
    while (count < 300)
        count++;
    return total;
}
