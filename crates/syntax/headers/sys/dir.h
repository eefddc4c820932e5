/* sys/dir.h: directories of old programs */
#ifndef _QUOD_SYS_DIR_H
#define _QUOD_SYS_DIR_H
#include <dirent.h>
#define direct dirent
#endif
