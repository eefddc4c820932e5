// args: verify --engine induction --property unreach-call {}
// exit: 0
// Only the first visit of the head is different.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int i=0,k=9,j=-100;
  while(i<=100) {
    i=i+1;
    while(j<20) j=i+j;
    k=4;
    while(k<=3) k=k+1;
  }
  check(k==4);
  return 0;
}
