// expect: fails assert
#include <assert.h>
char ask(void);
int main(void)
{
    char text[4];
    for (int i = 0; i < 3; i++)
        text[i] = ask();
    text[3] = 0;
    int n = 0, sign = 1;
    for (char *p = text; *p; p++) {
        if (p == text && *p == '-') {
            sign = -1;
            continue;
        }
        if (*p < '0' || *p > '9')
            return 0;
        n = n * 10 + (*p - '0');
    }
    assert(sign * n >= 0 && n <= 999);
    return 0;
}
