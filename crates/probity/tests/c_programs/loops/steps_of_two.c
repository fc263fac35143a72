// expect: holds
// A counter that grows by two is never odd.
#include <assert.h>
int ask(void);
int main(void)
{
    unsigned x = 0;
    while (ask())
        x += 2;
    assert(x % 2 == 0);
    return 0;
}
