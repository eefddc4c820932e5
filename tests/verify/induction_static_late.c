// args: verify --engine induction --property unreach-call {}
// exit: 3
// A static local counts beyond.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int f(void) {
  static int s=0;
  s++;
  return s;
}
int main(void) {
  while(__VERIFIER_nondet_int()) check(f()<3000);
  return 0;
}
