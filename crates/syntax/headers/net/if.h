/* net/if.h: network interfaces */
#ifndef _QUOD_NET_IF_H
#define _QUOD_NET_IF_H
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ 16
#define IFF_UP 0x1
#define IFF_BROADCAST 0x2
#define IFF_LOOPBACK 0x8
#define IFF_RUNNING 0x40
#define IFF_PROMISC 0x100
struct ifmap { unsigned long mem_start, mem_end; unsigned short base_addr; unsigned char irq, dma, port; };
struct ifreq {
  union { char ifrn_name[IFNAMSIZ]; } ifr_ifrn;
  union {
    struct sockaddr ifru_addr, ifru_dstaddr, ifru_broadaddr, ifru_netmask, ifru_hwaddr;
    short ifru_flags;
    int ifru_ivalue, ifru_mtu;
    struct ifmap ifru_map;
    char ifru_slave[IFNAMSIZ], ifru_newname[IFNAMSIZ];
    __caddr_t ifru_data;
  } ifr_ifru;
};
#define ifr_name ifr_ifrn.ifrn_name
#define ifr_addr ifr_ifru.ifru_addr
#define ifr_hwaddr ifr_ifru.ifru_hwaddr
#define ifr_flags ifr_ifru.ifru_flags
#define ifr_mtu ifr_ifru.ifru_mtu
extern unsigned int if_nametoindex(const char *);
extern char *if_indextoname(unsigned int, char *);
#endif
