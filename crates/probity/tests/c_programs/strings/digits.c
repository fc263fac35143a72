// expect: holds
// A number of two digits is read.
#include <assert.h>
char ask(void);
int main(void)
{
    char text[3];
    text[0] = ask();
    text[1] = ask();
    text[2] = 0;
    int n = 0;
    for (char *p = text; *p; p++) {
        if (*p < '0' || *p > '9')
            return 0;
        n = n * 10 + (*p - '0');
    }
    assert(n >= 0 && n <= 99);
    return 0;
}
