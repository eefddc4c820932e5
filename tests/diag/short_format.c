// args: run --format short {}
// exit: 4
int main(void) {
    int x = ;
    return y;
}
