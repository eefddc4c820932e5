// args: verify --engine induction --property unreach-call {}
// exit: 3
// A pointer to an object of the round before.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int*p=0;
  int z=0;
  for(int i=0;i<1000;i++) {
    int t=i;
    if(p) z=1;
    p=&t;
  }
  check(z==0);
  return 0;
}
