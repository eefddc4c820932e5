// args: run --format json {}
// exit: 4
#define ZERO missing

int main(void) {
    return ZERO;
}
