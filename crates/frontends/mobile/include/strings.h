#ifndef PROBITY_STRINGS
#define PROBITY_STRINGS
#include <stddef.h>
void bzero(void *memory, size_t count);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
#endif
