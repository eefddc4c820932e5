// args: verify --engine induction --property unreach-call {}
// exit: 3
// The equation behind the bound is another.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int x=0,y=50;
  while(x<100) {
    if(x<50) x++;
    else {
      x++;
      y++;
    }
  }
  check(y==99);
  return 0;
}
