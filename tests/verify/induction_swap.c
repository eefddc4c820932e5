// args: verify --engine induction --property unreach-call {}
// exit: 3
// Holds in every second round.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int a=0,b=1;
  while(__VERIFIER_nondet_int()) {
    int t=a;
    a=b;
    b=t;
  }
  check(a==0);
  return 0;
}
