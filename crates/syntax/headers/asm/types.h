/* asm/types.h: types of Linux */
#ifndef _QUOD_ASM_TYPES_H
#define _QUOD_ASM_TYPES_H
#include <linux/types.h>
#endif
