// args: verify --engine induction --property unreach-call {}
// exit: 3
// Memory that calls leave behind: not summed up.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
extern void *malloc(unsigned long size);
int *last;
void f(int n) {
  if (n <= 0) return;
  last = malloc(sizeof(int));
  *last = n;
  f(n - 1);
}
int main(void) {
  f(__VERIFIER_nondet_int());
  check(last == 0);
  return 0;
}
