// args: verify --engine induction --property unreach-call {}
// exit: 0
// An equation of three variables, two ways around.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int i=0,a=0,b=0,n=__VERIFIER_nondet_int();
  if(n<0||n>1000000) return 0;
  while(i<n) {
    if(__VERIFIER_nondet_int()) {
      a=a+1;
      b=b+2;
    } else {
      a=a+2;
      b=b+1;
    }
    i++;
  }
  check(a+b==3*n);
  return 0;
}
