/* signal.h: signals (C11 7.14, POSIX) */
#ifndef _QUOD_SIGNAL_H
#define _QUOD_SIGNAL_H
#include <quod/types.h>
#include <quod/sigset.h>
#include <quod/timespec.h>
#include <quod/pthread_types.h>
#include <stddef.h>
typedef int sig_atomic_t;
typedef __pid_t pid_t;
typedef __uid_t uid_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
typedef __sighandler_t sig_t;
#define SIG_ERR ((__sighandler_t) -1)
#define SIG_DFL ((__sighandler_t) 0)
#define SIG_IGN ((__sighandler_t) 1)
#define SIG_HOLD ((__sighandler_t) 2)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define _NSIG 65
#define NSIG _NSIG
#define SIGRTMIN 34
#define SIGRTMAX 64
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SA_ONESHOT SA_RESETHAND
#define SA_NOMASK SA_NODEFER
#define SA_INTERRUPT 0x20000000
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define ILL_ILLOPC 1
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define CLD_EXITED 1
#define CLD_KILLED 2
union sigval { int sival_int; void *sival_ptr; };
typedef union sigval sigval_t;
typedef union sigval __sigval_t;
typedef struct {
  int si_signo;
  int si_errno;
  int si_code;
#ifdef __LP64__
  int __pad0;
#endif
  union {
    int _pad[__QUOD_BY_MODEL(28, 29)];
    struct { __pid_t si_pid; __uid_t si_uid; } _kill;
    struct { int si_tid; int si_overrun; union sigval si_sigval; } _timer;
    struct { __pid_t si_pid; __uid_t si_uid; union sigval si_sigval; } _rt;
    struct { __pid_t si_pid; __uid_t si_uid; int si_status; __clock_t si_utime; __clock_t si_stime; } _sigchld;
    struct { void *si_addr; short si_addr_lsb; struct { void *_lower; void *_upper; } _addr_bnd; } _sigfault;
    struct { long si_band; int si_fd; } _sigpoll;
  } _sifields;
} siginfo_t;
#define si_pid _sifields._kill.si_pid
#define si_uid _sifields._kill.si_uid
#define si_status _sifields._sigchld.si_status
#define si_utime _sifields._sigchld.si_utime
#define si_stime _sifields._sigchld.si_stime
#define si_value _sifields._rt.si_sigval
#define si_int _sifields._rt.si_sigval.sival_int
#define si_ptr _sifields._rt.si_sigval.sival_ptr
#define si_addr _sifields._sigfault.si_addr
#define si_band _sifields._sigpoll.si_band
#define si_fd _sifields._sigpoll.si_fd
struct sigaction {
  union {
    __sighandler_t sa_handler;
    void (*sa_sigaction)(int, siginfo_t *, void *);
  } __sigaction_handler;
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction
  __sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
typedef struct sigevent {
  union sigval sigev_value;
  int sigev_signo;
  int sigev_notify;
  union {
    int _pad[__QUOD_BY_MODEL(12, 13)];
    struct { void (*_function)(union sigval); union pthread_attr_t *_attribute; } _sigev_thread;
  } _sigev_un;
} sigevent_t;
#define sigev_notify_function _sigev_un._sigev_thread._function
#define sigev_notify_attributes _sigev_un._sigev_thread._attribute
extern __sighandler_t signal(int, __sighandler_t);
extern __sighandler_t bsd_signal(int, __sighandler_t);
extern int raise(int);
extern int kill(__pid_t, int);
extern int killpg(__pid_t, int);
extern void psignal(int, const char *);
extern int sigemptyset(sigset_t *);
extern int sigfillset(sigset_t *);
extern int sigaddset(sigset_t *, int);
extern int sigdelset(sigset_t *, int);
extern int sigismember(const sigset_t *, int);
extern int sigprocmask(int, const sigset_t *__restrict, sigset_t *__restrict);
extern int sigsuspend(const sigset_t *);
extern int sigaction(int, const struct sigaction *__restrict, struct sigaction *__restrict);
extern int sigpending(sigset_t *);
extern int sigwait(const sigset_t *__restrict, int *__restrict);
extern int sigwaitinfo(const sigset_t *__restrict, siginfo_t *__restrict);
extern int sigtimedwait(const sigset_t *__restrict, siginfo_t *__restrict, const struct timespec *__restrict);
extern int sigqueue(__pid_t, int, const union sigval);
extern int siginterrupt(int, int);
extern int sigaltstack(const stack_t *__restrict, stack_t *__restrict);
extern int sigblock(int);
extern int sigsetmask(int);
extern int sighold(int);
extern int sigrelse(int);
extern int sigignore(int);
extern int pthread_sigmask(int, const sigset_t *__restrict, sigset_t *__restrict);
extern int pthread_kill(pthread_t, int);
#endif
