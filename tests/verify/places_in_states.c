// args: verify --property unreach-call {}
// exit: 1
// What a path has found out about where two blocks are is part of its state: after the loop both answers are still possible.
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int *old = malloc(4);
  free(old);
  int *young = malloc(4);
  int x = old == young ? 1 : 2;
  x = 0;
  while (__VERIFIER_nondet_int()) {
    x = 1 - x;
  }
  if (old != young) {
    reach_error();
  }
  return x;
}
