// args: verify --property unreach-call --engine induction {}
// exit: 0
// Bytes of elements that were written at an unknown index, and what lies beside them.
extern int __VERIFIER_nondet_int(void);
extern void *memset(void *, int, unsigned long);
void reach_error(void) {}

struct pair {
    short first;
    short second;
};
struct pair pairs[40];

int main(void) {
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at >= 40)
        return 0;
    pairs[at].first = 0x0102;
    pairs[at].second = 0x0304;
    pairs[7].first = 0x0506;
    unsigned char *bytes = (unsigned char *)&pairs[3];
    if (at == 3 && (bytes[0] != 2 || bytes[1] != 1 || bytes[2] != 4 || bytes[3] != 3))
        reach_error();
    if (at != 3 && (bytes[0] != 0 || bytes[3] != 0))
        reach_error();
    if (pairs[at].second != 0x0304 || pairs[at].first != (at == 7 ? 0x0506 : 0x0102))
        reach_error();
    bytes[0] = 9;
    if (pairs[at].first != (at == 3 ? 0x0109 : at == 7 ? 0x0506 : 0x0102))
        reach_error();
    memset(pairs, 0, sizeof pairs);
    if (pairs[at].first != 0 || pairs[at].second != 0)
        reach_error();
    return 0;
}
