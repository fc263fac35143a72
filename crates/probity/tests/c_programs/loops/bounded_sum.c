// expect: holds
// The sum of at most ten numbers below a hundred.
#include <assert.h>
int ask(void);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        int x = ask();
        if (x < 0 || x > 99)
            break;
        sum += x;
    }
    assert(sum <= 990);
    return 0;
}
