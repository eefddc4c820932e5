/* arpa/inet.h: internet addresses as text */
#ifndef _QUOD_ARPA_INET_H
#define _QUOD_ARPA_INET_H
#include <netinet/in.h>
extern in_addr_t inet_addr(const char *);
extern in_addr_t inet_lnaof(struct in_addr);
extern in_addr_t inet_netof(struct in_addr);
extern in_addr_t inet_network(const char *);
extern char *inet_ntoa(struct in_addr);
extern int inet_aton(const char *, struct in_addr *);
extern int inet_pton(int, const char *__restrict, void *__restrict);
extern const char *inet_ntop(int, const void *__restrict, char *__restrict, socklen_t);
#endif
