// args: verify --engine induction --property unreach-call {}
// exit: 3
// The sum wraps, and is everything.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  unsigned x=1;
  while(__VERIFIER_nondet_int()) {
    x+=2;
  }
  check(x<4000000000u);
  return 0;
}
