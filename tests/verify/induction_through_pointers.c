// args: verify --engine induction --property unreach-call {}
// exit: 0
// Writes through pointers are found where they happen.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
void inc(int*p) {
  *p = *p + 1;
}
int main(void) {
  int x=0;
  int y=0;
  while(x<500000) {
    inc(&x);
    inc(&y);
  }
  check(x==y);
  return 0;
}
