// exit: 4
// A record that contains itself without a name, in two ways: its members are looked up all the same.
typedef struct inner inner;
struct inner {
    int first;
    inner;
};

struct outer {
    struct outer *left, $*right;
};

int of(struct inner *a, struct outer *b) {
    return a->missing + b->missing;
}
