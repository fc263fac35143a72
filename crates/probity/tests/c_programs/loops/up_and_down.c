// expect: holds
// unsolved: that the sum of two numbers stays a third is too hard for the solver in bits
// One counter goes up while the other goes down, in the manner of SV-COMP's loops.
#include <assert.h>
unsigned ask(void);
int main(void)
{
    unsigned n = ask();
    unsigned left = n, done = 0;
    while (left > 0) {
        left--;
        done++;
    }
    assert(done == n);
    return 0;
}
