#ifndef PROBITY_STDLIB
#define PROBITY_STDLIB
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void exit(int status);
void abort(void);
int rand(void);
void srand(unsigned int seed);
int atoi(const char *text);
long atol(const char *text);
char *getenv(const char *name);
int system(const char *command);
int abs(int value);
long labs(long value);
double atof(const char *text);
long long atoll(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);
int putenv(char *text);
int mkstemp(char *name);
char *realpath(const char *path, char *resolved);
int atexit(void (*function)(void));
void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *items, size_t count, size_t size, int (*compare)(const void *, const void *));
long random(void);
void srandom(unsigned int seed);
#define RAND_MAX 2147483647
#endif
