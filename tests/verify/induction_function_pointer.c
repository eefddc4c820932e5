// args: verify --engine induction --property unreach-call {}
// exit: 3
// The function that is called changes.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
int x;
void a(void) {
  x++;
}
void b(void) {
  x=-1;
}
int main(void) {
  void(*f)(void)=a;
  for(int i=0;i<2000;i++) {
    f();
    if(i==1500) f=b;
  }
  check(x>=0);
  return 0;
}
