// expect: holds
#include <stdlib.h>
int ask(void);
int main(void)
{
    int n = ask();
    if (n < 1 || n > 8)
        return 0;
    int *a = malloc(n * sizeof(int));
    if (!a)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    int last = a[n - 1];
    free(a);
    return last;
}
