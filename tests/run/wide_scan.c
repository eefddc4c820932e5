/* Wide characters: reading formats, and to and from strings of bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  int number = 0;
  wchar_t word[8], wide[8];
  char bytes[8], few[2];
  printf("%d:", swscanf(L"12 apples", L"%d %7ls", &number, word));
  printf(" %d %ls\n", number, word);
  wcstombs(bytes, L"text", sizeof bytes);
  puts(bytes);
  number = wcstombs(few, L"text", 2);
  printf("%d %c%c\n", number, few[0], few[1]);
  printf("%d\n", (int)wcstombs(NULL, L"length", 0));
  mbstowcs(wide, "wide", 8);
  printf("%ls\n", wide);
  printf("%d\n", (int)wcstombs(bytes, L"\x3b1", sizeof bytes));
  printf("%d\n", fwscanf(stdin, L"%d", &number));
  return 0;
}
