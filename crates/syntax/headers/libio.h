/* libio.h: the name of old programs for stdio.h */
#ifndef _QUOD_LIBIO_H
#define _QUOD_LIBIO_H
#include <stdio.h>
#endif
