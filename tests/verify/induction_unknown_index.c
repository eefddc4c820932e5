// args: verify --engine induction --property unreach-call {}
// exit: 3
// A path that cannot be followed is no check that could be taken for granted.
extern void abort(void);
void reach_error(void) {
  abort();
}
int main(void) {
  int A[2048];
  int i;
  for (i = 0; i < 1024; i++) {
    A[i] = i;
  }
  if (A[1023] == 1023) {
    reach_error();
  }
  return 0;
}
