// expect: holds
// What another thread writes is looked at before it is used.
#include <pthread.h>
#include <stddef.h>
int ask(void);
int table[8], message;
static void *sender(void *unused)
{
    (void)unused;
    message = ask();
    return NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    int copy = message;
    if (copy >= 0 && copy < 8)
        table[copy] = 1;
    return 0;
}
