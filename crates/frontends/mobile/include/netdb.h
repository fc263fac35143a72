#ifndef PROBITY_NETDB
#define PROBITY_NETDB
#include <netinet/in.h>
struct hostent { char *h_name; char **h_aliases; int h_addrtype, h_length; char **h_addr_list; };
#define h_addr h_addr_list[0]
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen;
  struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next;
};
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
extern volatile int h_errno;
struct hostent *gethostbyname(const char *name);
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found);
void freeaddrinfo(struct addrinfo *found);
const char *gai_strerror(int error);
int getnameinfo(const struct sockaddr *address, socklen_t length, char *host, socklen_t host_size, char *service, socklen_t service_size, int flags);
void herror(const char *text);
const char *hstrerror(int error);
#endif
