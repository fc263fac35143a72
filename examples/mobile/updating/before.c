/* An update client: it fetches the manifest, and installs what is new. */
#include <stdio.h>
#include <unistd.h>

int is_newer(const char *manifest);   /* whether the server has something newer */
int install(const char *package);     /* unpacks a package */

int main(void)
{
    FILE *manifest = fopen("/var/update/manifest", "r");

    if (!manifest)
        return 1;
    if (is_newer("/var/update/manifest")) {
        install("/var/update/package");
        unlink("/var/update/package");
    }
    fclose(manifest);
    return 0;
}
