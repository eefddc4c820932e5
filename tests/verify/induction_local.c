// args: verify --engine induction --property unreach-call {}
// exit: 0
// An object that comes and goes within a round is no change.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int i=0;
  while(i<1000000) {
    int t=__VERIFIER_nondet_int();
    int*p=&t;
    *p=i;
    i=*p+1;
  }
  check(i==1000000);
  return 0;
}
