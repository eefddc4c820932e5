/* assert.h: diagnostics (C11 7.2) */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void) 0)
#else
#define assert(expression) \
  ((expression) ? (void) 0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
#ifndef _QUOD_ASSERT_H
#define _QUOD_ASSERT_H
extern void __assert_fail(const char *expression, const char *file, unsigned int line, const char *function)
    __attribute__((__nothrow__, __noreturn__));
extern void __assert_perror_fail(int error, const char *file, unsigned int line, const char *function)
    __attribute__((__nothrow__, __noreturn__));
extern void __assert(const char *expression, const char *file, int line)
    __attribute__((__nothrow__, __noreturn__));
#if !defined __cplusplus && __STDC_VERSION__ < 202311L
#undef static_assert
#define static_assert _Static_assert
#endif
#endif
