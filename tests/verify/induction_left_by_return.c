// args: verify --engine induction --property unreach-call {}
// exit: 0
// A loop that is left by return.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int f(int n) {
  for(int i=0;;i++) {
    if(i==n) return i;
    if(i==1000) return -1;
  }
}
int main(void) {
  int n=__VERIFIER_nondet_int();
  if(n<0) return 0;
  int r=f(n);
  check(r==n||r==-1);
  return 0;
}
