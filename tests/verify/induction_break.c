// args: verify --engine induction --property unreach-call {}
// exit: 3
// The loop is left early in its last round.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int i;
  for(i=0;i<3000;i++) {
    if(i==2999 && __VERIFIER_nondet_int()) break;
  }
  check(i==3000);
  return 0;
}
