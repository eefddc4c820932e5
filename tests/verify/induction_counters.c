// args: verify --engine induction --property unreach-call {}
// exit: 0
// Two counters that move together.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int x=0,y=0;
  while(__VERIFIER_nondet_int()) {
    if(x<100000) {
      x++;
      y++;
    }
  }
  check(x==y);
  return 0;
}
