/* Wide characters: strings, formats, and the orientation of a stream. */
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  wchar_t text[32], *rest, *word;
  wprintf(L"%ls %s %5d|%-4lc|%.2ls\n", L"wide", "narrow", 7, L'x', L"cut");
  wprintf(L"byte output: %d\n", printf("never seen\n"));
  wprintf(L"too long: %d", swprintf(text, 4, L"%d", 123456));
  wprintf(L", kept %ls\n", text);
  wprintf(L"fits: %d\n", swprintf(text, 32, L"a-%d,b;%ls", 3, L"c"));
  for (word = wcstok(text, L"-,;", &rest); word; word = wcstok(NULL, L"-,;", &rest))
    wprintf(L"<%ls>", word);
  wprintf(L"\n%ls %ls %d\n", wcsstr(L"haystack", L"st"), wcsrchr(L"a/b/c", L'/'), (int)wcsspn(L"aab", L"a"));
  wprintf(L"%d %d %lc\n", iswalpha(L'q') != 0, iswdigit(L'q') != 0, towupper(L'q'));
  wprintf(L"%d %d\n", wmemcmp(L"ab", L"ab", 2), wmemcmp(L"ab", L"ac", 2) < 0);
  fputws(L"fputws ", stdout);
  putwchar(L'p');
  putwc(L'\n', stdout);
  wprintf(L"%d %d\n", fwide(stdout, 0) > 0, fwide(stderr, -1) < 0);
  return 0;
}
