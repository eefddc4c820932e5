// args: verify --property unreach-call {}
// exit: 0
/* Comparisons that say nothing of numbers that have no order. */
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  int ways = isless(x, y) + isgreater(x, y) + (x == y) + isunordered(x, y);
  if (ways != 1 || islessequal(x, y) != (x <= y) || isgreaterequal(x, y) != (x >= y)) reach_error();
  if (islessgreater(x, y) && (isunordered(x, y) || x == y)) reach_error();
  return 0;
}
