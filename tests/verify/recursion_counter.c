// args: verify --engine induction --property unreach-call {}
// exit: 0
// A variable that all calls count with.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int counter;
void walk(int n) {
  if (n <= 0) return;
  counter++;
  walk(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  walk(n);
  check(counter == n);
  return 0;
}
