// args: verify --engine induction --property unreach-call {}
// exit: 3
// One round more than the value that it began with.
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
  if(n<0||n>1000000) return 0;
  int k=n;
  int j=0;
  while(j<=n) {
    j++;
    k--;
  }
  check(k>=0);
  return 0;
}
