// args: verify --engine induction --property unreach-call {}
// exit: 3
// Fails in round 5000.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int x=0;
  while(__VERIFIER_nondet_int()) {
    x++;
    check(x!=5000);
    if (x>6000) x=0;
  }
  return 0;
}
