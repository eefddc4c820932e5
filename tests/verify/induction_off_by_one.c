// args: verify --engine induction --property unreach-call {}
// exit: 3
// The bound is one more than the assertion says.
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
  while(x<=1000000) x++;
  check(x==1000000);
  return 0;
}
