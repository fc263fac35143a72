#ifndef PROBITY_SYS_IOCTL
#define PROBITY_SYS_IOCTL
int ioctl(int file, unsigned long request, ...);
#define FIONREAD 0x541B
#define TIOCGWINSZ 0x5413
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#endif
