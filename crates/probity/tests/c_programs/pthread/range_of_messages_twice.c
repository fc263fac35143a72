// expect: fails index
// The message is read once to look at it and once to use it, and it is written by one thread only.
#include <pthread.h>
#include <stddef.h>
int table[8], message;
static void *sender(void *unused)
{
    (void)unused;
    message = 9;
    return NULL;
}
int main(void)
{
    pthread_t t;
    if (message >= 0 && message < 8) {
        pthread_create(&t, NULL, sender, NULL);
        table[message] = 1;
    }
    return 0;
}
