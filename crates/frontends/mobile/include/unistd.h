#ifndef PROBITY_UNISTD
#define PROBITY_UNISTD
#include <stddef.h>
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define _SC_PAGESIZE 30
#define _SC_NPROCESSORS_ONLN 84
typedef char *__probity_text;
extern volatile __probity_text optarg;
extern volatile int optind, opterr, optopt;
ssize_t read(int file, void *buffer, size_t count);
ssize_t write(int file, const void *buffer, size_t count);
int close(int file);
int unlink(const char *path);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
pid_t getpid(void);
pid_t getppid(void);
pid_t fork(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
int setuid(uid_t user);
int setgid(gid_t group);
int access(const char *path, int mode);
int chdir(const char *path);
int rmdir(const char *path);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
ssize_t readlink(const char *path, char *buffer, size_t size);
char *getcwd(char *buffer, size_t size);
int chown(const char *path, uid_t user, gid_t group);
int pipe(int files[2]);
int dup(int file);
int dup2(int file, int to);
int fsync(int file);
int ftruncate(int file, off_t length);
int isatty(int file);
off_t lseek(int file, off_t offset, int from);
unsigned int alarm(unsigned int seconds);
int pause(void);
long sysconf(int name);
int gethostname(char *name, size_t size);
int getopt(int count, char *const arguments[], const char *options);
void _exit(int status);
int execve(const char *path, char *const arguments[], char *const environment[]);
int execlp(const char *path, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execvp(const char *path, char *const arguments[]);
int execl(const char *path, const char *argument, ...);
#endif
