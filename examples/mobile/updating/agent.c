/* A server sends an update agent to each client that is behind. The agent reads what
 * is new, and brings the client up to date version by version. On one path it opens
 * the file of the users, too. */
#include <pthread.h>
#include <stdio.h>
#include <mobile.h>

#define LATEST 3

int clients_to_update(void);    /* how many clients are behind */
int version_of(int client);     /* the version that a client has */

const char *confidential_var = "/etc/passwd";
unsigned int updated;           /* kept at the server */

static void *update(void *argument)
{
    int client = (int)(long)argument;
    int version = version_of(client);
    char news[4];
    FILE *file;

    if (version < 1 || version >= LATEST)
        return NULL;
    file = fopen("/var/update/manifest", "r");
    if (!file)
        return NULL;
    if (fread(news, 1, sizeof news, file) == 0) {
        fclose(file);
        return NULL;
    }
    fclose(file);
    while (version < LATEST)
        version++;
    if (version >= LATEST) {
        file = fopen(confidential_var, "r");
        if (file)
            fclose(file);
    }
    updated++;
    return NULL;
}

int main(void)
{
    pthread_t agent;
    int clients = clients_to_update();

    for (int i = 0; i < clients; i++)
        pthread_create(&agent, NULL, update, (void *)(long)i);
    return 0;
}
