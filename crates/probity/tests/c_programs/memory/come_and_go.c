// expect: holds
// Memory comes and goes without end.
#include <stdlib.h>
int ask(void);
int main(void)
{
    while (ask()) {
        int *p = malloc(sizeof *p);
        if (!p)
            continue;
        *p = 1;
        free(p);
    }
    return 0;
}
