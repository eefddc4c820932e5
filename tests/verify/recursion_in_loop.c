// args: verify --engine induction --property unreach-call {}
// exit: 0
// Calls that loop.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int f(int n, int k) {
  int i = 0;
  while (i < k) i++;
  if (n <= 0) return i;
  return f(n - 1, i);
}
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k > 1000) return 0;
  check(f(__VERIFIER_nondet_int(), k) == k);
  return 0;
}
