/* stddef.h: common definitions (C11 7.19) */
#ifndef _QUOD_STDDEF_H
#define _QUOD_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct {
  long long __max_align_ll __attribute__((__aligned__(__alignof__(long long))));
  long double __max_align_ld __attribute__((__aligned__(__alignof__(long double))));
#ifdef __i386__
  __float128 __max_align_f128 __attribute__((__aligned__(__alignof__(__float128))));
#endif
} max_align_t;
#undef NULL
#define NULL ((void *) 0)
#undef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#if __STDC_VERSION__ >= 202311L
typedef typeof(nullptr) nullptr_t;
#define unreachable() __builtin_unreachable()
#endif
#endif
