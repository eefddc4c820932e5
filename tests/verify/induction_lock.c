// args: verify --engine induction --property unreach-call {}
// exit: 0
// What the condition at the end says is kept through the break.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int l=0,o=0,n=0;
  do {
    l=1;
    o=n;
    if(__VERIFIER_nondet_int()) {
      l=0;
      n++;
    }
  } while(n!=o);
  check(l==1);
  return 0;
}
