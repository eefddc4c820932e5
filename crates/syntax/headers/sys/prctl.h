/* sys/prctl.h: control of processes */
#ifndef _QUOD_SYS_PRCTL_H
#define _QUOD_SYS_PRCTL_H
#define PR_SET_PDEATHSIG 1
#define PR_SET_NAME 15
#define PR_GET_NAME 16
extern int prctl(int, ...);
#endif
