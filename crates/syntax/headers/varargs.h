/* varargs.h: variable arguments of old programs */
#ifndef _QUOD_VARARGS_H
#define _QUOD_VARARGS_H
#include <stdarg.h>
#endif
