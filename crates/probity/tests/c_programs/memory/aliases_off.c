// expect: fails assert
#include <assert.h>
int ask(void);
int main(void)
{
    int a = 1, b = 2;
    int *p = ask() ? &a : &b, *q = ask() ? &a : &b;
    *p = 7;
    *q = 8;
    assert(a + b == 15 || p == q || a == 7);
    assert(p != q || a == 8);
    return 0;
}
