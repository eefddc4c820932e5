// exit: 125
static int *address(void) {
    int local = 5;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = address();
    return *p;
}
