// expect: holds
// In the manner of SV-COMP's pthread families: what a lock protects is seen unchanged.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
pthread_mutex_t lock;
unsigned count;
static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    count = 1;
    assert(count == 1);
    count = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
