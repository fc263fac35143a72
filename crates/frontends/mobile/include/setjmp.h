#ifndef PROBITY_SETJMP
#define PROBITY_SETJMP
typedef struct { long __registers[25]; } jmp_buf[1];
typedef jmp_buf sigjmp_buf;
int setjmp(jmp_buf state);
int sigsetjmp(sigjmp_buf state, int with_signals);
void siglongjmp(sigjmp_buf state, int value);
void longjmp(jmp_buf state, int value);
#endif
