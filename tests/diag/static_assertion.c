// exit: 4
struct header {
    char kind;
    int length;
};
_Static_assert(sizeof(struct header) == 5, "the header is not packed");

int main(void) {
    return 0;
}
