/* sys/vfs.h: status of file systems */
#ifndef _QUOD_SYS_VFS_H
#define _QUOD_SYS_VFS_H
#include <quod/types.h>
struct statfs {
  __INTPTR_TYPE__ f_type, f_bsize;
  __fsblkcnt_t f_blocks, f_bfree, f_bavail, f_files, f_ffree;
  struct { int __val[2]; } f_fsid;
  __INTPTR_TYPE__ f_namelen, f_frsize, f_flags, f_spare[4];
};
extern int statfs(const char *, struct statfs *);
extern int fstatfs(int, struct statfs *);
#endif
