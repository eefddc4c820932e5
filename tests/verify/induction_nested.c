// args: verify --engine induction --property unreach-call {}
// exit: 0
// Each loop inside is done whole from every state of the one outside.
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
  if(n<0||n>100000) return 0;
  int k=0;
  for(int i=0;i<n;i++) {
    for(int j=0;j<n;j++) {
      if(k<5) k=k;
    }
  }
  check(k==0);
  return 0;
}
