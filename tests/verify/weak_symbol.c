// args: verify --property unreach-call {}
// exit: 3
// Nobody defines `extension`: it may be there or not.
extern void extension(void) __attribute__((weak));
extern void reach_error(void);

int main(void) {
  if (!extension) reach_error();
  return 0;
}
