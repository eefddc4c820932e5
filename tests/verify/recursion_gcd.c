// args: verify --engine induction --property unreach-call {}
// exit: 0
// What is positive stays so.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int gcd(int a, int b) {
  if (a <= 0 || b <= 0) return 0;
  if (a == b) return a;
  if (a > b) return gcd(a - b, b);
  return gcd(a, b - a);
}
int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m <= 0 || n <= 0) return 0;
  check(gcd(m, n) >= 1);
  return 0;
}
