// expect: fails assert
// Nobody waits for the thread.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
int done;
static void *work(void *unused) { (void)unused; done = 1; return NULL; }
int main(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, work, NULL) != 0)
        return 0;
    assert(done == 1);
    return 0;
}
