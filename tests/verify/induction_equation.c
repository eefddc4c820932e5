// args: verify --engine induction --property unreach-call {}
// exit: 0
// A linear equation, modulo two to the width.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  unsigned n=__VERIFIER_nondet_uint();
  unsigned i=0,j=0;
  while(i<n) {
    i++;
    j+=2;
  }
  check(j==2*i);
  return 0;
}
