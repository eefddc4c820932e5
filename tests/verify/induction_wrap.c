// args: verify --engine induction --property unreach-call {}
// exit: 3
// A narrow counter wraps.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  unsigned char c=0;
  unsigned n=0;
  while(n<70000) {
    c++;
    n++;
    check(c==n);
  }
  return 0;
}
