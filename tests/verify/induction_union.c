// args: verify --engine induction --property unreach-call {}
// exit: 3
// Bytes of a union are written.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
union U {
  int i;
  unsigned char b[4];
};
int main(void) {
  union U u;
  u.i=0;
  for(int k=0;k<2000;k++) {
    u.b[1]=(unsigned char)(k>>3);
  }
  check(u.i==0);
  return 0;
}
