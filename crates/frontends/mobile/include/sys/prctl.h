#ifndef PROBITY_SYS_PRCTL
#define PROBITY_SYS_PRCTL
#define PR_SET_PDEATHSIG 1
#define PR_SET_NAME 15
int prctl(int option, ...);
#endif
