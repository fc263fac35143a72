#ifndef PROBITY_NET_IF
#define PROBITY_NET_IF
#include <sys/socket.h>
#define IFNAMSIZ 16
#define IF_NAMESIZE 16
#define IFF_UP 1
#define IFHWADDRLEN 6
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_RUNNING 0x40
#define IFF_PROMISC 0x100
#define IFF_MULTICAST 0x1000
unsigned int if_nametoindex(const char *name);
char *if_indextoname(unsigned int index, char *name);
#endif
