#ifndef PROBITY_SYS_IOCTL
#define PROBITY_SYS_IOCTL
int ioctl(int file, unsigned long request, ...);
#define FIONREAD 0x541B
#define FIONBIO 0x5421
#define SIOCGIFFLAGS 0x8913
#define SIOCSIFFLAGS 0x8914
#define SIOCGIFADDR 0x8915
#define SIOCGIFHWADDR 0x8927
#define SIOCGIFINDEX 0x8933
#define TIOCGWINSZ 0x5413
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#endif
