#ifndef PROBITY_DIRENT
#define PROBITY_DIRENT
#include <sys/types.h>
typedef struct __probity_directory DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);
#endif
