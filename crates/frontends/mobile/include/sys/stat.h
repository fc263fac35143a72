#ifndef PROBITY_SYS_STAT
#define PROBITY_SYS_STAT
#include <time.h>
struct stat {
  dev_t st_dev; ino_t st_ino; nlink_t st_nlink; mode_t st_mode; uid_t st_uid; gid_t st_gid;
  dev_t st_rdev; off_t st_size; blksize_t st_blksize; blkcnt_t st_blocks;
  struct timespec st_atim, st_mtim, st_ctim;
};
#define st_mtime st_mtim.tv_sec
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXG 070
#define S_IROTH 04
#define S_IWOTH 02
#define S_IXOTH 01
#define S_IRWXO 07
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int file, struct stat *status);
int mkdir(const char *path, mode_t mode);
int mkfifo(const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
mode_t umask(mode_t mask);
#endif
