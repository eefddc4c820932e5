/* sys/endian.h: order of bytes */
#ifndef _QUOD_SYS_ENDIAN_H
#define _QUOD_SYS_ENDIAN_H
#include <endian.h>
#endif
