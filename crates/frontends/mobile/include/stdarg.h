#ifndef PROBITY_STDARG
#define PROBITY_STDARG
typedef struct { long __rest; } va_list[1];
void __probity_va_start(va_list list);
void *__probity_va_arg(va_list list);
void __probity_va_copy(va_list to, va_list from);
#define va_start(list, last) __probity_va_start(list)
#define va_arg(list, type) (*(type *)__probity_va_arg(list))
#define va_copy(to, from) __probity_va_copy(to, from)
#define va_end(list) ((void)(list))
#endif
