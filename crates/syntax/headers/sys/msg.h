/* sys/msg.h: messages of System V */
#ifndef _QUOD_SYS_MSG_H
#define _QUOD_SYS_MSG_H
#include <sys/ipc.h>
struct msqid_ds;
extern int msgctl(int, int, struct msqid_ds *);
extern int msgget(key_t, int);
extern ssize_t msgrcv(int, void *, size_t, long, int);
extern int msgsnd(int, const void *, size_t, int);
#endif
