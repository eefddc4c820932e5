/* sys/wait.h: waiting for processes */
#ifndef _QUOD_SYS_WAIT_H
#define _QUOD_SYS_WAIT_H
#include <sys/types.h>
#include <signal.h>
#include <quod/wait.h>
struct rusage;
typedef enum { P_ALL, P_PID, P_PGID, P_PIDFD } idtype_t;
#define WAIT_ANY (-1)
extern __pid_t wait(int *);
extern __pid_t waitpid(__pid_t, int *, int);
extern int waitid(idtype_t, __id_t, siginfo_t *, int);
extern __pid_t wait3(int *, int, struct rusage *);
extern __pid_t wait4(__pid_t, int *, int, struct rusage *);
#endif
