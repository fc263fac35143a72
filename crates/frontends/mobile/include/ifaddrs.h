#ifndef PROBITY_IFADDRS
#define PROBITY_IFADDRS
#include <sys/socket.h>
struct ifaddrs {
  struct ifaddrs *ifa_next; char *ifa_name; unsigned int ifa_flags;
  struct sockaddr *ifa_addr, *ifa_netmask, *ifa_dstaddr; void *ifa_data;
};
int getifaddrs(struct ifaddrs **all);
void freeifaddrs(struct ifaddrs *all);
#endif
