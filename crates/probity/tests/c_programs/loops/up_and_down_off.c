// expect: fails assert
// The same, but one step is lost on the way.
#include <assert.h>
unsigned ask(void);
int main(void)
{
    unsigned n = ask();
    unsigned left = n, done = 0;
    while (left > 0) {
        left--;
        if (left != 4)
            done++;
    }
    assert(done == n);
    return 0;
}
