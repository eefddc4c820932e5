/* sys/shm.h: shared memory */
#ifndef _QUOD_SYS_SHM_H
#define _QUOD_SYS_SHM_H
#include <sys/ipc.h>
struct shmid_ds;
#define SHM_RDONLY 010000
extern int shmctl(int, int, struct shmid_ds *);
extern int shmget(key_t, size_t, int);
extern void *shmat(int, const void *, int);
extern int shmdt(const void *);
#endif
