/* mcheck.h: checks of the heap */
#ifndef _QUOD_MCHECK_H
#define _QUOD_MCHECK_H
extern void mtrace(void);
extern void muntrace(void);
#endif
