// expect: holds
#include <assert.h>
int ask(void);
static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void)
{
    int x = ask(), y = ask(), u = x, v = y;
    swap(&x, &y);
    assert(x == v && y == u);
    swap(&x, &x);
    assert(x == v);
    return 0;
}
