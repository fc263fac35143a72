// expect: fails assert
// The state is reached after 150 rounds.
#include <assert.h>
int main(void)
{
    int state = 0, tick = 0;
    for (;;) {
        tick++;
        if (tick == 50) {
            tick = 0;
            state++;
        }
        assert(state < 3);
    }
}
