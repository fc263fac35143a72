// expect: holds
#include <assert.h>
int main(void)
{
    const char *from = "route";
    char to[8];
    int i = 0;
    while (from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
    assert(i == 5);
    assert(to[0] == 'r' && to[5] == 0);
    return 0;
}
