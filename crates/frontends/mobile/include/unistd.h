#ifndef PROBITY_UNISTD
#define PROBITY_UNISTD
#include <stddef.h>
typedef long ssize_t;
typedef int pid_t;
ssize_t read(int file, void *buffer, size_t count);
ssize_t write(int file, const void *buffer, size_t count);
int close(int file);
int unlink(const char *path);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
pid_t getpid(void);
int execv(const char *path, char *const arguments[]);
int execvp(const char *path, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
#endif
