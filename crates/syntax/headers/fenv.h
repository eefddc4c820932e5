/* fenv.h: floating-point environment (C11 7.6) */
#ifndef _QUOD_FENV_H
#define _QUOD_FENV_H
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
typedef unsigned short fexcept_t;
typedef struct {
  unsigned short __control_word, __glibc_reserved1, __status_word, __glibc_reserved2, __tags, __glibc_reserved3;
  unsigned int __eip;
  unsigned short __cs_selector;
  unsigned int __opcode : 11, __glibc_reserved4 : 5;
  unsigned int __data_offset;
  unsigned short __data_selector, __glibc_reserved5;
#ifdef __x86_64__
  unsigned int __mxcsr;
#endif
} fenv_t;
#define FE_DFL_ENV ((const fenv_t *) -1)
#define FE_NOMASK_ENV ((const fenv_t *) -2)
extern int feclearexcept(int);
extern int fegetexceptflag(fexcept_t *, int);
extern int feraiseexcept(int);
extern int fesetexceptflag(const fexcept_t *, int);
extern int fetestexcept(int);
extern int fegetround(void);
extern int fesetround(int);
extern int fegetenv(fenv_t *);
extern int feholdexcept(fenv_t *);
extern int fesetenv(const fenv_t *);
extern int feupdateenv(const fenv_t *);
extern int feenableexcept(int);
extern int fedisableexcept(int);
extern int fegetexcept(void);
#endif
