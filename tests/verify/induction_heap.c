// args: verify --engine induction --property unreach-call {}
// exit: 3
// Objects live on.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
#include <stdlib.h>
struct n {
  int v;
  struct n*next;
};
int main(void) {
  struct n*h=0;
  int c=0;
  while(__VERIFIER_nondet_int() && c<5) {
    struct n*x=malloc(sizeof*x);
    if(!x) return 0;
    x->v=c;
    x->next=h;
    h=x;
    c++;
  }
  check(h==0 || h->v<4);
  return 0;
}
