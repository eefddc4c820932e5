// exit: 125
/* A wide string that was never set is appended to. */
#include <wchar.h>

int main(void) {
  wchar_t text[10];
  wcscat(text, L"end");
  return 0;
}
