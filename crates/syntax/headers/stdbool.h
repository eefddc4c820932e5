/* stdbool.h: boolean type and values (C11 7.18) */
#ifndef _QUOD_STDBOOL_H
#define _QUOD_STDBOOL_H
#if __STDC_VERSION__ < 202311L
#define bool _Bool
#define true 1
#define false 0
#endif
#define __bool_true_false_are_defined 1
#endif
