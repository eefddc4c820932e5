/* sys/termios.h: terminals */
#ifndef _QUOD_SYS_TERMIOS_H
#define _QUOD_SYS_TERMIOS_H
#include <termios.h>
#endif
