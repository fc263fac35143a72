#ifndef PROBITY_STDIO
#define PROBITY_STDIO
#include <stddef.h>
#define EOF (-1)
#include <stdarg.h>
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOLBF 1
#define _IONBF 2
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
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fileno(FILE *file);
int getc(FILE *file);
int putc(int c, FILE *file);
int ungetc(int c, FILE *file);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
void rewind(FILE *file);
void clearerr(FILE *file);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
FILE *tmpfile(void);
long getline(char **line, size_t *size, FILE *file);
int dprintf(int file, const char *format, ...);
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsprintf(char *buffer, const char *format, va_list list);
int vsnprintf(char *buffer, size_t size, const char *format, va_list list);
void perror(const char *text);
#endif
