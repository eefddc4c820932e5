/* sys/ioctl.h: control of devices */
#ifndef _QUOD_SYS_IOCTL_H
#define _QUOD_SYS_IOCTL_H
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TCGETS 0x5401
#define TCSETS 0x5402
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCSCTTY 0x540E
#define TIOCNOTTY 0x5422
#define TIOCGPGRP 0x540F
#define TIOCSPGRP 0x5410
#define TIOCSTI 0x5412
#define FIONREAD 0x541B
#define TIOCINQ FIONREAD
#define FIONBIO 0x5421
#define SIOCGIFCONF 0x8912
#define SIOCGIFFLAGS 0x8913
#define SIOCGIFADDR 0x8915
#define SIOCGIFHWADDR 0x8927
#define _IOC(dir, type, nr, size) (((dir) << 30) | ((type) << 8) | (nr) | ((size) << 16))
#define _IO(type, nr) _IOC(0U, (type), (nr), 0)
#define _IOR(type, nr, size) _IOC(2U, (type), (nr), sizeof(size))
#define _IOW(type, nr, size) _IOC(1U, (type), (nr), sizeof(size))
#define _IOWR(type, nr, size) _IOC(3U, (type), (nr), sizeof(size))
extern int ioctl(int, unsigned long, ...);
#endif
