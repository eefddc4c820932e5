// args: verify --engine induction --property unreach-call {}
// exit: 3
// A loop with two entries.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int main(void) {
  int i=0,j=0;
  if(__VERIFIER_nondet_int()) goto in;
  i=1;
  loop: if(i<2000) {
    i++;
    in: j++;
    goto loop;
  }
  check(j<1999);
  return 0;
}
