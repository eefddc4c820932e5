// A type with holes, bit-fields and an anonymous union; try `quod show --layout`.
struct packet {
    char kind;
    unsigned urgent : 1, priority : 3;
    double value;
    union {
        int number;
        char bytes[8];
    };
};

struct packet packet;
