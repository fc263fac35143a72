#ifndef PROBITY_SETJMP
#define PROBITY_SETJMP
typedef struct { long __registers[25]; } jmp_buf[1];
int setjmp(jmp_buf state);
void longjmp(jmp_buf state, int value);
#endif
