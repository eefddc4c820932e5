// args: verify --engine induction --property unreach-call {}
// exit: 0
// Calls that end the program do not come back.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
extern void exit(int code);
int f(int n) {
  if (n < 0) exit(1);
  if (n == 0) return 7;
  return f(n - 2);
}
int main(void) {
  check(f(__VERIFIER_nondet_int()) == 7);
  return 0;
}
