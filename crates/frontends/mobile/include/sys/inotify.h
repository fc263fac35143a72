#ifndef PROBITY_SYS_INOTIFY
#define PROBITY_SYS_INOTIFY
#include <stdint.h>
struct inotify_event { int wd; uint32_t mask, cookie, len; char name[]; };
#define IN_MODIFY 2
#define IN_CLOSE_WRITE 8
#define IN_CREATE 256
#define IN_DELETE 512
int inotify_init(void);
int inotify_init1(int flags);
int inotify_add_watch(int file, const char *path, uint32_t mask);
int inotify_rm_watch(int file, int watch);
#endif
