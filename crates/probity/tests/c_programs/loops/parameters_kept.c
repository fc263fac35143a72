// expect: holds
// A jump over a declaration leaves parameters as they were.
#include <assert.h>
static int half(int whole)
{
    if (whole == 1)
        goto end;
    int rest = whole % 2;
    assert(whole - rest == 4);
end:
    return whole / 2;
}
int main(void)
{
    assert(half(5) == 2);
    return 0;
}
