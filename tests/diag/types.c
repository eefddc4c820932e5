// exit: 4
struct incomplete;
struct incomplete object;

int main(void) {
    int number = 1;
    int *pointer = &number;
    return pointer * 2 + number.member + *number + undeclared();
}
