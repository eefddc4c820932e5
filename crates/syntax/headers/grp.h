/* grp.h: groups */
#ifndef _QUOD_GRP_H
#define _QUOD_GRP_H
#include <quod/types.h>
#include <stddef.h>
typedef __gid_t gid_t;
struct group { char *gr_name; char *gr_passwd; __gid_t gr_gid; char **gr_mem; };
extern struct group *getgrgid(__gid_t);
extern struct group *getgrnam(const char *);
extern void setgrent(void);
extern void endgrent(void);
extern struct group *getgrent(void);
extern int initgroups(const char *, __gid_t);
extern int setgroups(size_t, const __gid_t *);
extern int getgrouplist(const char *, __gid_t, __gid_t *, int *);
#endif
