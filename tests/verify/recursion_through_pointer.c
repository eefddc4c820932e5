// args: verify --engine induction --property unreach-call {}
// exit: 0
// A variable of the first caller, by a pointer that is handed on.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
void count(int *p, int n) {
  if (n <= 0) return;
  *p = *p + 2;
  count(p, n - 1);
}
int main(void) {
  int x = 1, n = __VERIFIER_nondet_int();
  if (n > 1000000) return 0;
  count(&x, n);
  check(x % 2 == 1);
  return 0;
}
