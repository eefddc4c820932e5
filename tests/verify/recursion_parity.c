// args: verify --engine induction --property unreach-call {}
// exit: 0
// Two functions call each other; residues of differences.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int odd(int n);
int even(int n) {
  if (n == 0) return 1;
  return odd(n - 1);
}
int odd(int n) {
  if (n == 0) return 0;
  return even(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int r = odd(n);
  check(r == n % 2);
  return 0;
}
