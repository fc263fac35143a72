#ifndef PROBITY_STRING
#define PROBITY_STRING
#include <stddef.h>
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
size_t strlen(const char *text);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t count);
char *strcat(char *to, const char *from);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
char *strdup(const char *text);
char *strndup(const char *text, size_t count);
char *strncat(char *to, const char *from, size_t count);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **rest);
size_t strspn(const char *text, const char *all);
size_t strcspn(const char *text, const char *none);
char *strpbrk(const char *text, const char *some);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
size_t strnlen(const char *text, size_t most);
char *strerror(int error);
char *strsignal(int number);
void *memchr(const void *memory, int c, size_t count);
void bzero(void *memory, size_t count);
int memcmp(const void *a, const void *b, size_t count);
#endif
