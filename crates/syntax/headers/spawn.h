/* spawn.h: starting of processes */
#ifndef _QUOD_SPAWN_H
#define _QUOD_SPAWN_H
#include <sched.h>
typedef struct { char __size[336]; } posix_spawnattr_t;
typedef struct { char __size[80]; } posix_spawn_file_actions_t;
extern int posix_spawn(pid_t *__restrict, const char *__restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *__restrict, char *const[], char *const[]);
extern int posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
#endif
