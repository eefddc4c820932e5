/* dirent.h: directories */
#ifndef _QUOD_DIRENT_H
#define _QUOD_DIRENT_H
#include <quod/types.h>
#include <stddef.h>
typedef __ino_t ino_t;
struct dirent {
  __ino_t d_ino;
  __off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino
enum { DT_UNKNOWN = 0, DT_FIFO = 1, DT_CHR = 2, DT_DIR = 4, DT_BLK = 6, DT_REG = 8, DT_LNK = 10, DT_SOCK = 12, DT_WHT = 14 };
#define DT_UNKNOWN DT_UNKNOWN
#define DT_DIR DT_DIR
#define DT_REG DT_REG
#define DT_LNK DT_LNK
#define MAXNAMLEN 255
typedef struct __dirstream DIR;
extern DIR *opendir(const char *);
extern DIR *fdopendir(int);
extern int closedir(DIR *);
extern struct dirent *readdir(DIR *);
extern int readdir_r(DIR *__restrict, struct dirent *__restrict, struct dirent **__restrict);
extern void rewinddir(DIR *);
extern void seekdir(DIR *, long);
extern long telldir(DIR *);
extern int dirfd(DIR *);
extern int scandir(const char *__restrict, struct dirent ***__restrict, int (*)(const struct dirent *),
                   int (*)(const struct dirent **, const struct dirent **));
extern int alphasort(const struct dirent **, const struct dirent **);
#endif
