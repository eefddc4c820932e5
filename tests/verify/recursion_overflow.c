// args: verify --engine induction --property no-overflow {}
// exit: 0
// The argument stays within its bounds.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int f(int n) {
  if (n > 1000) return n - 10;
  return f(f(n + 11));
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  f(n);
  return 0;
}
