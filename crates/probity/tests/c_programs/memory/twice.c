// expect: fails free
// The error path frees what the normal path frees as well.
#include <stdlib.h>
int ask(void);
int main(void)
{
    char *buffer = malloc(16);
    if (!buffer)
        return 1;
    buffer[0] = 0;
    if (ask() < 0)
        free(buffer);
    free(buffer);
    return 0;
}
