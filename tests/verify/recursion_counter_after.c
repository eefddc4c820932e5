// args: verify --engine induction --property unreach-call {}
// exit: 3
// What is counted behind the call is seen as well.
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
  walk(n - 1);
  counter++;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  walk(n);
  check(counter == 0);
  return 0;
}
