// args: verify --engine induction --property unreach-call {}
// exit: 0
// The inner loop's invariant is about the outer one's counter.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int n=__VERIFIER_nondet_int();
  if(n<=0||n>30000) return 0;
  int s=0;
  for(int i=0;i<n;i++) {
    int j=0;
    while(j<i) j++;
    check(j==i);
  }
  return 0;
}
