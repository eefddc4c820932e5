// exit: 4
int main(void) {
    int i = 0;
    goto nowhere;
    break;
    switch (i) {
    case 1:
    case 1:
        return 1;
    }
    continue;
}
