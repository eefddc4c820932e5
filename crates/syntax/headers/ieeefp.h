/* ieeefp.h: floating point of old programs */
#ifndef _QUOD_IEEEFP_H
#define _QUOD_IEEEFP_H
#include <math.h>
#endif
