#ifndef PROBITY_SYS_UN
#define PROBITY_SYS_UN
#include <sys/socket.h>
struct sockaddr_un { sa_family_t sun_family; char sun_path[108]; };
#endif
