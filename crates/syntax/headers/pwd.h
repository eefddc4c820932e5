/* pwd.h: users */
#ifndef _QUOD_PWD_H
#define _QUOD_PWD_H
#include <quod/types.h>
#include <stddef.h>
typedef __uid_t uid_t;
typedef __gid_t gid_t;
struct passwd {
  char *pw_name, *pw_passwd;
  __uid_t pw_uid;
  __gid_t pw_gid;
  char *pw_gecos, *pw_dir, *pw_shell;
};
extern struct passwd *getpwuid(__uid_t);
extern struct passwd *getpwnam(const char *);
extern int getpwuid_r(__uid_t, struct passwd *__restrict, char *__restrict, size_t, struct passwd **__restrict);
extern int getpwnam_r(const char *__restrict, struct passwd *__restrict, char *__restrict, size_t,
                      struct passwd **__restrict);
extern void setpwent(void);
extern void endpwent(void);
extern struct passwd *getpwent(void);
#endif
