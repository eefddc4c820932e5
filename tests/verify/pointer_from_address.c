// args: verify --property unreach-call {}
// exit: 3
// A function of the program may have any name; its result is not taken for the address of an object.
unsigned long address(void);
void reach_error(void);

int main(void) {
  int a;
  int b;
  int *p = (int *)address();
  if (p != &a && p != &b) {
    reach_error();
  }
  return 0;
}
