#ifndef PROBITY_SYS_TIME
#define PROBITY_SYS_TIME
#include <sys/types.h>
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
int gettimeofday(struct timeval *now, void *zone);
int setitimer(int which, const struct itimerval *value, struct itimerval *old);
#endif
