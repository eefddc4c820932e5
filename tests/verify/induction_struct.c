// args: verify --engine induction --property unreach-call {}
// exit: 3
// The last round copies a record.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
struct s {
  int a,b;
};
int main(void) {
  struct s v={0,0},w={0,1};
  for(int i=0;i<2000;i++) {
    if(i==1999) v=w;
  }
  check(v.b==0);
  return 0;
}
