/* sys/statvfs.h: status of file systems */
#ifndef _QUOD_SYS_STATVFS_H
#define _QUOD_SYS_STATVFS_H
#include <quod/types.h>
struct statvfs {
  unsigned long f_bsize, f_frsize;
  __fsblkcnt_t f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
  unsigned long f_fsid;
#ifndef __LP64__
  int __f_unused;
#endif
  unsigned long f_flag, f_namemax;
  int __f_spare[6];
};
extern int statvfs(const char *__restrict, struct statvfs *__restrict);
extern int fstatvfs(int, struct statvfs *);
#endif
