// expect: holds
// In the manner of SV-COMP's terminator family: either of two exits leaves the sum high enough.
#include <assert.h>
int ask(void);
int main(void)
{
    int x = ask(), y = ask();
    if (x < 0 || x > 50 || y < 0 || y > 1000)
        return 0;
    while (x < 100 && y > 0) {
        if (ask())
            x++;
        else
            y--;
    }
    assert(x >= 100 || y <= 0);
    return 0;
}
