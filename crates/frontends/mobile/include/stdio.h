#ifndef PROBITY_STDIO
#define PROBITY_STDIO
#include <stddef.h>
#define EOF (-1)
typedef struct __probity_file FILE;
extern FILE *stdin, *stdout, *stderr;
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int fflush(FILE *file);
size_t fread(void *buffer, size_t size, size_t count, FILE *file);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file);
char *fgets(char *buffer, int size, FILE *file);
char *gets(char *buffer);
int fputs(const char *text, FILE *file);
int puts(const char *text);
int getchar(void);
int fgetc(FILE *file);
int putchar(int c);
int fputc(int c, FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
int remove(const char *path);
int rename(const char *from, const char *to);
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *buffer, const char *format, ...);
int snprintf(char *buffer, size_t size, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
void perror(const char *text);
#endif
