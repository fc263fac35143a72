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
#endif
