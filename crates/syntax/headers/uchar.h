/* uchar.h: UTF-16 and UTF-32 (C11 7.28) */
#ifndef _QUOD_UCHAR_H
#define _QUOD_UCHAR_H
#include <quod/types.h>
#include <stddef.h>
typedef __mbstate_t mbstate_t;
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
extern size_t mbrtoc16(char16_t *__restrict, const char *__restrict, size_t, mbstate_t *__restrict);
extern size_t c16rtomb(char *__restrict, char16_t, mbstate_t *__restrict);
extern size_t mbrtoc32(char32_t *__restrict, const char *__restrict, size_t, mbstate_t *__restrict);
extern size_t c32rtomb(char *__restrict, char32_t, mbstate_t *__restrict);
#endif
