// expect: fails assert
#include <assert.h>
int ask(void);
int main(void)
{
    unsigned x = 0;
    while (ask()) {
        x += 2;
        if (x == 12)
            x += 3;
    }
    assert(x % 2 == 0);
    return 0;
}
