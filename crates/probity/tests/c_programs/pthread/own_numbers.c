// expect: holds
// Each thread has a number of its own.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
int ask(void);
static void *work(void *unused)
{
    (void)unused;
    int mine = ask();
    if (mine < 0 || mine > 10)
        mine = 0;
    assert(mine <= 10);
    return NULL;
}
int main(void)
{
    pthread_t t;
    while (ask())
        pthread_create(&t, NULL, work, NULL);
    return 0;
}
