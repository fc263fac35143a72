#ifndef PROBITY_SYS_SELECT
#define PROBITY_SYS_SELECT
#include <sys/time.h>
typedef struct { unsigned long __bits[16]; } fd_set;
#define FD_SETSIZE 1024
#define FD_ZERO(set) __probity_fd_zero(set)
#define FD_SET(file, set) __probity_fd_set(file, set)
#define FD_CLR(file, set) __probity_fd_set(file, set)
#define FD_ISSET(file, set) __probity_fd_isset(file, set)
void __probity_fd_zero(fd_set *set);
void __probity_fd_set(int file, fd_set *set);
int __probity_fd_isset(int file, const fd_set *set);
int select(int files, fd_set *read, fd_set *write, fd_set *other, struct timeval *timeout);
#endif
