/* mqueue.h: queues of messages */
#ifndef _QUOD_MQUEUE_H
#define _QUOD_MQUEUE_H
#include <sys/types.h>
typedef int mqd_t;
struct mq_attr { long mq_flags, mq_maxmsg, mq_msgsize, mq_curmsgs, __pad[4]; };
extern mqd_t mq_open(const char *, int, ...);
extern int mq_close(mqd_t);
extern int mq_unlink(const char *);
extern int mq_send(mqd_t, const char *, size_t, unsigned int);
extern ssize_t mq_receive(mqd_t, char *, size_t, unsigned int *);
#endif
