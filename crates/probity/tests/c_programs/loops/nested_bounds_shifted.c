// expect: fails assert
#include <assert.h>
int ask(void);
int main(void)
{
    int n = ask(), m = ask();
    if (n < 0 || n > 100 || m < 0 || m > 100)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j <= m; j++)
            assert(j >= 0 && j < 100);
    return 0;
}
