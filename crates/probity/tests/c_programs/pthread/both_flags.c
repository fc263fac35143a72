// expect: fails assert
// Two threads can both have been there.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
int first, second;
static void *one(void *unused) { (void)unused; first = 1; return NULL; }
static void *two(void *unused) { (void)unused; second = 1; return NULL; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    assert(!(first && second));
    return 0;
}
