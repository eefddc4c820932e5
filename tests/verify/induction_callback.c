// args: verify --engine induction --property unreach-call {}
// exit: 3
// A loop in a function that the library calls again and again.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
  abort();
}
void check(int c) {
  if (!c) reach_error();
}
#include <stdlib.h>
int calls=0;
int cmp(const void*a,const void*b) {
  int r=0;
  while(r<3) r++;
  calls+=r;
  return *(const int*)a-*(const int*)b;
}
int main(void) {
  int a[3]={3,2,1};
  qsort(a,3,sizeof(int),cmp);
  check(calls<6);
  return 0;
}
