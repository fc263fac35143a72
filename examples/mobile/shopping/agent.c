/* A query client sends agents to two airlines. Each asks for a fare, and reports
 * it home if it is good enough. On one path it talks to somebody else instead. */
#include <pthread.h>
#include <mobile.h>

#define WANTED 300

int flights_to_ask(void);   /* how many agents are sent */
int fare_of(int airline);   /* what an airline answers */

int best = 1000;            /* kept at the query client */
unsigned int reports;

static void *shop(void *argument)
{
    int airline = (int)(long)argument;
    int fare = 1000;
    int tries = 0;
    int connected = 0;

    while (tries < 2 && !connected) {
        connected = connect_to_location(airline ? "air1" : "air0");
        if (connected)
            fare = fare_of(airline);
        tries++;
    }
    if (fare < WANTED)
        connected = connect_to_location("airc");
    else if (fare < 1000)
        connected = connect_to_location("bad");
    if (connected && fare < best)
        best = fare;
    reports++;
    return NULL;
}

int main(void)
{
    pthread_t agent;
    int agents = flights_to_ask();

    for (int i = 0; i < agents; i++)
        pthread_create(&agent, NULL, shop, (void *)(long)(i % 2));
    return 0;
}
