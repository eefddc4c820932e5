// exit: 4
int main(void) {
    int sum = 0;
    for (int i = 0, i < 3, i++)
        sum += i;
    for (int k = 0; k < 3; k++) {
        sum += kk;
    }
    return summ;
}
