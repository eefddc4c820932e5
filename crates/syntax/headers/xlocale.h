/* xlocale.h: localisation of old programs */
#ifndef _QUOD_XLOCALE_H
#define _QUOD_XLOCALE_H
#include <locale.h>
#endif
