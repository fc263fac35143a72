#ifndef PROBITY_SYS_EPOLL
#define PROBITY_SYS_EPOLL
#include <stdint.h>
typedef union epoll_data { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct epoll_event { uint32_t events; epoll_data_t data; };
#define EPOLLIN 1
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 16
#define EPOLLRDHUP 0x2000
#define EPOLLET 0x80000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
#define EPOLL_CLOEXEC 02000000
int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int epoll, int command, int file, struct epoll_event *event);
int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout);
#endif
