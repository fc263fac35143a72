// expect: holds
// Two names for one place.
#include <assert.h>
int ask(void);
int main(void)
{
    int a = 1, b = 2;
    int *p = ask() ? &a : &b;
    *p = 7;
    assert(a == 7 || b == 7);
    assert(!(a == 7 && b == 7));
    return 0;
}
