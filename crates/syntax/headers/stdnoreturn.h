/* stdnoreturn.h: noreturn (C11 7.23) */
#ifndef _QUOD_STDNORETURN_H
#define _QUOD_STDNORETURN_H
#define noreturn _Noreturn
#endif
