// args: verify --engine induction --property unreach-call {}
// exit: 3
// Two rounds are right, the third is not.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int s=0;
  while(1) {
    int t=s;
    if(s==0) s=1;
    else if(s==1) s=2;
    else if (s==2) s=0;
    check(t!=2);
    if(__VERIFIER_nondet_int()) break;
  }
  return 0;
}
