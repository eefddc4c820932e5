// args: verify --engine induction --property unreach-call {}
// exit: 3
// Both pointers lead to the same variable.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
void f(int*p,int*q) {
  while(__VERIFIER_nondet_int()) {
    *p=1;
    *q=2;
    check(*p==1);
  }
}
int main(void) {
  int x=0;
  f(&x,&x);
  return 0;
}
