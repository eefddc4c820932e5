// args: verify --engine induction --property unreach-call {}
// exit: 0
// The invariant is about what the loop began with.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int n0=__VERIFIER_nondet_int(), n1=__VERIFIER_nondet_int();
  if(n0<-1000000||n0>=1000000||n1<-1000000||n1>=1000000) return 0;
  int i0=0,k=0;
  while(i0<n0) {
    i0++;
    k++;
  }
  int i1=0;
  while(i1<n1) {
    i1++;
    k++;
  }
  int j=0;
  while(j<n0+n1) {
    check(k>0);
    j++;
    k--;
  }
  return 0;
}
