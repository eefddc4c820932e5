/* sys/mount.h: mounts */
#ifndef _QUOD_SYS_MOUNT_H
#define _QUOD_SYS_MOUNT_H
extern int mount(const char *, const char *, const char *, unsigned long, const void *);
extern int umount(const char *);
extern int umount2(const char *, int);
#endif
