// expect: fails null
// Whether there is memory is not asked.
#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof(int));
    *p = 1;
    free(p);
    return 0;
}
