// args: verify --property unreach-call --threads 1 --timeout 20 {}
// exit: 3
// Blocks that are copied to another place of an array, or out of its middle, after a write at an unknown index.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void *memcpy(void *, const void *, unsigned long);

struct Row {
  int v[500];
};
struct Row rows[3];
int all[2000], half[1000];

int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), which = __VERIFIER_nondet_uint();
  if (i >= 500)
    return 0;
  if (which == 0) {
    rows[1].v[i] = 5;
    rows[0] = rows[1];
    if (rows[0].v[i] == 5)
      reach_error();
  } else {
    all[1000 + i] = 5;
    memcpy(half, all + 1000, sizeof half);
    if (half[i] == 5)
      reach_error();
  }
  return 0;
}
