// args: verify --engine induction --property unreach-call {}
// exit: 3
// Each call hands a pointer to its own variable on: not summed up.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
void count(int *p, int n) {
  int own = 0;
  if (n <= 0) {
    *p = 1;
    return;
  }
  count(&own, n - 1);
  *p = own + 1;
}
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  count(&x, n);
  check(x == 1);
  return 0;
}
