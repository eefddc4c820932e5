/* sys/sysmacros.h: numbers of devices */
#ifndef _QUOD_SYS_SYSMACROS_H
#define _QUOD_SYS_SYSMACROS_H
#define major(dev) ((unsigned int) (((dev) >> 8) & 0xfff))
#define minor(dev) ((unsigned int) (((dev) & 0xff) | (((dev) >> 12) & 0xfff00)))
#define makedev(major, minor) ((((minor) & 0xff) | (((major) & 0xfff) << 8)) | ((unsigned long long) ((minor) & ~0xff) << 12))
#endif
