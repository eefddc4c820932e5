// exit: 125
#define RATIO(a, b) ((a) / (b))
#define PERCENT(a, b) (100 * RATIO(a, b))

int main(void) {
    int part = 3, whole = 0;
    return PERCENT(part, whole);
}
