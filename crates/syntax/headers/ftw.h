/* ftw.h: walks over directories */
#ifndef _QUOD_FTW_H
#define _QUOD_FTW_H
#include <sys/stat.h>
enum { FTW_F, FTW_D, FTW_DNR, FTW_NS, FTW_SL };
extern int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
#endif
