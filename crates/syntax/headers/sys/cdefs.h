/* sys/cdefs.h: macros of glibc headers */
#ifndef _QUOD_SYS_CDEFS_H
#define _QUOD_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW __attribute__((__nothrow__))
#define __P(arguments) arguments
#define __PMT(arguments) arguments
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __ptr_t void *
#define __nonnull(parameters) __attribute__((__nonnull__ parameters))
#define __wur
#endif
