#ifndef PROBITY_TIME
#define PROBITY_TIME
#include <sys/types.h>
typedef long clock_t;
typedef int clockid_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct itimerspec { struct timespec it_interval, it_value; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
time_t time(time_t *now);
clock_t clock(void);
double difftime(time_t end, time_t begin);
time_t mktime(struct tm *time);
struct tm *localtime(const time_t *time);
struct tm *gmtime(const time_t *time);
struct tm *localtime_r(const time_t *time, struct tm *result);
struct tm *gmtime_r(const time_t *time, struct tm *result);
char *ctime(const time_t *time);
char *asctime(const struct tm *time);
size_t strftime(char *buffer, size_t size, const char *format, const struct tm *time);
int nanosleep(const struct timespec *wanted, struct timespec *left);
int clock_gettime(clockid_t clock, struct timespec *now);
#endif
