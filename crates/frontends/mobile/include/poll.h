#ifndef PROBITY_POLL
#define PROBITY_POLL
struct pollfd { int fd; short events, revents; };
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
int poll(struct pollfd *files, unsigned long count, int timeout);
#endif
