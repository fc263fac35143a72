#ifndef PROBITY_SYS_WAIT
#define PROBITY_SYS_WAIT
#include <sys/types.h>
#define WNOHANG 1
#define WIFEXITED(status) (((status) & 127) == 0)
#define WEXITSTATUS(status) ((status) >> 8 & 255)
#define WIFSIGNALED(status) (((status) & 127) != 0 && ((status) & 127) != 127)
#define WTERMSIG(status) ((status) & 127)
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);
#endif
