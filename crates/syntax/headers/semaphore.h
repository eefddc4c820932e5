/* semaphore.h: POSIX semaphores */
#ifndef _QUOD_SEMAPHORE_H
#define _QUOD_SEMAPHORE_H
#include <sys/types.h>
#include <quod/timespec.h>
typedef union { char __size[__QUOD_BY_MODEL(32, 16)]; long __align; } sem_t;
#define SEM_FAILED ((sem_t *) 0)
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 2147483647
#endif
extern int sem_init(sem_t *, int, unsigned int);
extern int sem_destroy(sem_t *);
extern sem_t *sem_open(const char *, int, ...);
extern int sem_close(sem_t *);
extern int sem_unlink(const char *);
extern int sem_wait(sem_t *);
extern int sem_timedwait(sem_t *__restrict, const struct timespec *__restrict);
extern int sem_trywait(sem_t *);
extern int sem_post(sem_t *);
extern int sem_getvalue(sem_t *__restrict, int *__restrict);
#endif
