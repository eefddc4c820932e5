// args: verify --engine induction --property unreach-call {}
// exit: 3
// One is lost.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int add(int m, int n) {
  if (n == 0) return m;
  if (n == 1) return m;
  if (n > 0) return add(m + 1, n - 1);
  return add(m - 1, n + 1);
}
int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  check(add(m, n) == m + n);
  return 0;
}
