/* sys/syslog.h: messages of the system */
#ifndef _QUOD_SYS_SYSLOG_H
#define _QUOD_SYS_SYSLOG_H
#include <syslog.h>
#endif
