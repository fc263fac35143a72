#ifndef PROBITY_LIBGEN
#define PROBITY_LIBGEN
char *basename(char *path);
char *dirname(char *path);
#endif
