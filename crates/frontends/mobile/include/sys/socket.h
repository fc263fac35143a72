#ifndef PROBITY_SYS_SOCKET
#define PROBITY_SYS_SOCKET
#include <sys/types.h>
typedef unsigned int socklen_t;
typedef unsigned short sa_family_t;
struct iovec { void *iov_base; size_t iov_len; };
struct sockaddr { sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { sa_family_t ss_family; char ss_data[126]; };
struct msghdr {
  void *msg_name; socklen_t msg_namelen; struct iovec *msg_iov; size_t msg_iovlen;
  void *msg_control; size_t msg_controllen; int msg_flags;
};
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define AF_PACKET 17
#define PF_UNIX 1
#define PF_INET 2
#define PF_INET6 10
#define PF_PACKET 17
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SOL_SOCKET 1
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_BINDTODEVICE 25
#define SOMAXCONN 4096
#define MSG_PEEK 2
#define MSG_TRUNC 32
#define MSG_DONTWAIT 64
#define MSG_WAITALL 256
#define MSG_NOSIGNAL 16384
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
struct ucred { pid_t pid; uid_t uid; gid_t gid; };
struct cmsghdr { size_t cmsg_len; int cmsg_level, cmsg_type; };
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int files[2]);
int bind(int file, const struct sockaddr *address, socklen_t length);
int listen(int file, int backlog);
int accept(int file, struct sockaddr *address, socklen_t *length);
int connect(int file, const struct sockaddr *address, socklen_t length);
int getsockname(int file, struct sockaddr *address, socklen_t *length);
int getpeername(int file, struct sockaddr *address, socklen_t *length);
int getsockopt(int file, int level, int name, void *value, socklen_t *length);
int setsockopt(int file, int level, int name, const void *value, socklen_t length);
ssize_t send(int file, const void *buffer, size_t size, int flags);
ssize_t sendto(int file, const void *buffer, size_t size, int flags, const struct sockaddr *address, socklen_t length);
ssize_t recv(int file, void *buffer, size_t size, int flags);
ssize_t recvfrom(int file, void *buffer, size_t size, int flags, struct sockaddr *address, socklen_t *length);
ssize_t sendmsg(int file, const struct msghdr *message, int flags);
ssize_t recvmsg(int file, struct msghdr *message, int flags);
int shutdown(int file, int how);
#endif
