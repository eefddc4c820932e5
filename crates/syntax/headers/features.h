/* features.h: what glibc says of itself */
#ifndef _QUOD_FEATURES_H
#define _QUOD_FEATURES_H
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GNU_LIBRARY__ 6
#define __GLIBC_PREREQ(major, minor) ((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((major) << 16) + (minor))
#define __USE_MISC 1
#define __USE_POSIX 1
#define __USE_ISOC99 1
#define __USE_ISOC11 1
#include <sys/cdefs.h>
#endif
