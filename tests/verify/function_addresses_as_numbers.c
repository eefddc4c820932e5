// args: verify --property unreach-call --engine search --threads 1 {}
// exit: 1
// What is computed from the address of one function is not what is computed from that of another.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int one(void) { return 1; }
int two(void) { return 2; }
long number;

int main(void) {
  if (__VERIFIER_nondet_int() == 123456)
    number = (long)one * 3;
  else
    number = (long)two * 3;
  while (__VERIFIER_nondet_int()) {
  }
  if (number != (long)one * 3)
    reach_error();
  return 0;
}
