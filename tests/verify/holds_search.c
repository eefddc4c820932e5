// args: verify --property valid-memsafety {}
// exit: 0
// A binary search stays inside of its array.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int numbers[8] = {1, 3, 5, 7, 9, 11, 13, 15};
    int wanted = __VERIFIER_nondet_int();
    int low = 0, high = 7, found = -1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (numbers[middle] == wanted) {
            found = middle;
            break;
        }
        if (numbers[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return found;
}
