// expect: fails rule-1
// policy: deny to public codeOrigin remote { permission function connect_to_location bad }
// net: location net: (air0 [127.0.0.1 3000] airc [127.0.0.1 3333])
// net: current execution location: air0
// net: code origin: airc
// net: thread lay at airc origin airc
// within: 1
// A thread elsewhere sets what makes the agent connect. An analysis of the agent's location alone
// leaves that thread out, and calls the program safe.
#include <mobile.h>
#include <pthread.h>
#include <stddef.h>

int egg;

static void *lay(void *unused)
{
    (void)unused;
    egg = 1;
    return NULL;
}

static void *hatch(void *unused)
{
    (void)unused;
    if (egg)
        connect_to_location("bad");
    return NULL;
}

int main(void)
{
    pthread_t other, agent;
    pthread_create(&other, NULL, lay, NULL);
    pthread_create(&agent, NULL, hatch, NULL);
    return 0;
}
