// args: verify --property unreach-call --engine induction {}
// exit: 0
// Every second element is passed, the others are as they were: none is less.
void reach_error(void) {}

int main(void) {
    int values[2000];
    for (int i = 0; i < 2000; i++)
        values[i] = i;
    for (int i = 0; i < 2000; i += 2)
        values[i] = values[i] + 1;
    for (int i = 0; i < 2000; i++)
        if (values[i] < i)
            reach_error();
    return 0;
}
