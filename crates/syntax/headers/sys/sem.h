/* sys/sem.h: semaphores of System V */
#ifndef _QUOD_SYS_SEM_H
#define _QUOD_SYS_SEM_H
#include <sys/ipc.h>
struct sembuf { unsigned short sem_num; short sem_op; short sem_flg; };
#define GETVAL 12
#define SETVAL 16
#define SEM_UNDO 0x1000
extern int semctl(int, int, int, ...);
extern int semget(key_t, int, int);
extern int semop(int, struct sembuf *, size_t);
#endif
