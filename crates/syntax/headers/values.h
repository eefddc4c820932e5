/* values.h: limits of old programs */
#ifndef _QUOD_VALUES_H
#define _QUOD_VALUES_H
#include <limits.h>
#include <float.h>
#define BITSPERBYTE CHAR_BIT
#define CHARBITS (sizeof(char) * CHAR_BIT)
#define SHORTBITS (sizeof(short) * CHAR_BIT)
#define INTBITS (sizeof(int) * CHAR_BIT)
#define LONGBITS (sizeof(long) * CHAR_BIT)
#define MINSHORT SHRT_MIN
#define MININT INT_MIN
#define MINLONG LONG_MIN
#define MAXSHORT SHRT_MAX
#define MAXINT INT_MAX
#define MAXLONG LONG_MAX
#define MAXDOUBLE DBL_MAX
#undef MAXFLOAT
#define MAXFLOAT FLT_MAX
#define MINDOUBLE DBL_MIN
#define MINFLOAT FLT_MIN
#endif
