/* unistd.h: POSIX */
#ifndef _QUOD_UNISTD_H
#define _QUOD_UNISTD_H
#include <sys/types.h>
typedef __socklen_t socklen_t;
typedef __INTPTR_TYPE__ intptr_t;
#define _POSIX_VERSION 200809L
#define _POSIX2_VERSION 200809L
#define _XOPEN_VERSION 700
#define _POSIX_THREADS 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define L_SET SEEK_SET
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_GETGR_R_SIZE_MAX 69
#define _SC_GETPW_R_SIZE_MAX 70
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180
#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern char **__environ;
#ifdef _GNU_SOURCE
extern char **environ;
#endif
extern int getopt(int, char *const *, const char *);
extern int access(const char *, int);
extern int faccessat(int, const char *, int, int);
extern int euidaccess(const char *, int);
extern __off_t lseek(int, __off_t, int);
extern __off64_t lseek64(int, __off64_t, int);
extern int close(int);
extern void closefrom(int);
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern ssize_t pread(int, void *, size_t, __off_t);
extern ssize_t pwrite(int, const void *, size_t, __off_t);
extern int pipe(int[2]);
extern int pipe2(int[2], int);
extern unsigned int alarm(unsigned int);
extern unsigned int sleep(unsigned int);
extern __useconds_t ualarm(__useconds_t, __useconds_t);
extern int usleep(__useconds_t);
extern int pause(void);
extern int chown(const char *, __uid_t, __gid_t);
extern int fchown(int, __uid_t, __gid_t);
extern int lchown(const char *, __uid_t, __gid_t);
extern int chdir(const char *);
extern int fchdir(int);
extern char *getcwd(char *, size_t);
extern char *getwd(char *);
extern char *get_current_dir_name(void);
extern int dup(int);
extern int dup2(int, int);
extern int dup3(int, int, int);
extern int execve(const char *, char *const[], char *const[]);
extern int fexecve(int, char *const[], char *const[]);
extern int execv(const char *, char *const[]);
extern int execle(const char *, const char *, ...);
extern int execl(const char *, const char *, ...);
extern int execvp(const char *, char *const[]);
extern int execlp(const char *, const char *, ...);
extern int execvpe(const char *, char *const[], char *const[]);
extern int nice(int);
extern void _exit(int) __attribute__((__noreturn__));
extern long pathconf(const char *, int);
extern long fpathconf(int, int);
extern long sysconf(int);
extern size_t confstr(int, char *, size_t);
extern __pid_t getpid(void);
extern __pid_t getppid(void);
extern __pid_t gettid(void);
extern __pid_t getpgrp(void);
extern __pid_t getpgid(__pid_t);
extern int setpgid(__pid_t, __pid_t);
extern int setpgrp(void);
extern __pid_t setsid(void);
extern __pid_t getsid(__pid_t);
extern __uid_t getuid(void);
extern __uid_t geteuid(void);
extern __gid_t getgid(void);
extern __gid_t getegid(void);
extern int getgroups(int, __gid_t[]);
extern int setuid(__uid_t);
extern int setreuid(__uid_t, __uid_t);
extern int seteuid(__uid_t);
extern int setgid(__gid_t);
extern int setregid(__gid_t, __gid_t);
extern int setegid(__gid_t);
extern int getresuid(__uid_t *, __uid_t *, __uid_t *);
extern int setresuid(__uid_t, __uid_t, __uid_t);
extern int getresgid(__gid_t *, __gid_t *, __gid_t *);
extern int setresgid(__gid_t, __gid_t, __gid_t);
extern __pid_t fork(void);
extern __pid_t vfork(void);
extern char *ttyname(int);
extern int ttyname_r(int, char *, size_t);
extern int isatty(int);
extern int link(const char *, const char *);
extern int linkat(int, const char *, int, const char *, int);
extern int symlink(const char *, const char *);
extern ssize_t readlink(const char *__restrict, char *__restrict, size_t);
extern ssize_t readlinkat(int, const char *__restrict, char *__restrict, size_t);
extern int symlinkat(const char *, int, const char *);
extern int unlink(const char *);
extern int unlinkat(int, const char *, int);
extern int rmdir(const char *);
extern __pid_t tcgetpgrp(int);
extern int tcsetpgrp(int, __pid_t);
extern char *getlogin(void);
extern int getlogin_r(char *, size_t);
extern int setlogin(const char *);
extern int gethostname(char *, size_t);
extern int sethostname(const char *, size_t);
extern int getdomainname(char *, size_t);
extern int setdomainname(const char *, size_t);
extern int vhangup(void);
extern int acct(const char *);
extern int daemon(int, int);
extern int chroot(const char *);
extern char *getpass(const char *);
extern int fsync(int);
extern int fdatasync(int);
extern void sync(void);
extern int syncfs(int);
extern long gethostid(void);
extern int getpagesize(void);
extern int getdtablesize(void);
extern int truncate(const char *, __off_t);
extern int ftruncate(int, __off_t);
extern int brk(void *);
extern void *sbrk(intptr_t);
extern long syscall(long, ...);
extern int lockf(int, int, __off_t);
extern char *crypt(const char *, const char *);
extern void swab(const void *__restrict, void *__restrict, ssize_t);
extern int getentropy(void *, size_t);
#endif
