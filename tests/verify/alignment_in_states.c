// args: verify --property unreach-call {}
// exit: 3
// Where an object is does not change: the answer to a question about its address is part of the state.
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
  int a;
  unsigned long place = (unsigned long)&a;
  int x = place % 64 == 0 ? 1 : 2;
  x = 0;
  while (__VERIFIER_nondet_int()) {
    x = 1 - x;
  }
  if (place % 64 != 0) {
    reach_error();
  }
  return x;
}
