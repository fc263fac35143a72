// expect: holds
// In the manner of SV-COMP's families that turn texts around.
#include <assert.h>
char ask(void);
int main(void)
{
    char a[5], b[5];
    for (int i = 0; i < 5; i++)
        a[i] = ask();
    for (int i = 0; i < 5; i++)
        b[4 - i] = a[i];
    for (int i = 0; i < 5; i++)
        assert(b[i] == a[4 - i]);
    return 0;
}
