// args: verify --engine induction --property unreach-call {}
// exit: 3
// A library function writes in round 1500.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
#include <string.h>
int main(void) {
  int a[4]={1,1,1,1};
  for(int i=0;i<2000;i++) {
    if(i==1500) memset(a,0,sizeof a);
  }
  check(a[2]==1);
  return 0;
}
