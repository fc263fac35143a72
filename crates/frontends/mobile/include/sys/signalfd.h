#ifndef PROBITY_SYS_SIGNALFD
#define PROBITY_SYS_SIGNALFD
#include <signal.h>
struct signalfd_siginfo { uint32_t ssi_signo; int ssi_errno, ssi_code; uint32_t ssi_pid, ssi_uid; };
#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
int signalfd(int file, const sigset_t *set, int flags);
#endif
