/* sys/stat.h: status of files */
#ifndef _QUOD_SYS_STAT_H
#define _QUOD_SYS_STAT_H
#include <sys/types.h>
#include <quod/stat.h>
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define ACCESSPERMS (S_IRWXU | S_IRWXG | S_IRWXO)
#define ALLPERMS (S_ISUID | S_ISGID | S_ISVTX | S_IRWXU | S_IRWXG | S_IRWXO)
#define DEFFILEMODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)
extern int stat(const char *__restrict, struct stat *__restrict);
extern int fstat(int, struct stat *);
extern int lstat(const char *__restrict, struct stat *__restrict);
extern int fstatat(int, const char *__restrict, struct stat *__restrict, int);
extern int chmod(const char *, __mode_t);
extern int fchmod(int, __mode_t);
extern int lchmod(const char *, __mode_t);
extern int fchmodat(int, const char *, __mode_t, int);
extern __mode_t umask(__mode_t);
extern int mkdir(const char *, __mode_t);
extern int mkdirat(int, const char *, __mode_t);
extern int mknod(const char *, __mode_t, __dev_t);
extern int mkfifo(const char *, __mode_t);
extern int utimensat(int, const char *, const struct timespec[2], int);
extern int futimens(int, const struct timespec[2]);
#endif
