// args: verify --engine induction --property unreach-call {}
// exit: 3
// No round at all is a way, too.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int x=3;
  while(__VERIFIER_nondet_int()) {
    x=4;
  }
  check(x==4);
  return 0;
}
