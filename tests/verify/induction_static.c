// args: verify --engine induction --property unreach-call {}
// exit: 0
// A static local is one of the things that a round changes.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int f(void) {
  static int s=0;
  if(s<100000) s++;
  return s;
}
int main(void) {
  int x=0;
  while(__VERIFIER_nondet_int()) {
    x=f();
  }
  check(x>=0 && x<=100000);
  return 0;
}
