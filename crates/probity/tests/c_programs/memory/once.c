// expect: holds
#include <stdlib.h>
int ask(void);
int main(void)
{
    char *buffer = malloc(16);
    if (!buffer)
        return 1;
    buffer[0] = 0;
    if (ask() < 0) {
        free(buffer);
        buffer = NULL;
    }
    free(buffer);
    return 0;
}
