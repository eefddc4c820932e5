// args: verify --engine induction --property unreach-call {}
// exit: 3
// The first caller does not look at the value; the calls below do.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int g;
int f(int n) {
  if (n <= 0) return 1;
  int r = f(n - 1);
  if (r > 1) g = 1;
  return r + 1;
}
int main(void) {
  f(__VERIFIER_nondet_int());
  check(g == 0);
  return 0;
}
