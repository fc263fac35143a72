// expect: holds
// policy: deny to public { permission function fopen "/etc/"* }
// The path is chosen from a table.
#include <stdio.h>
int ask(void);
static const char *const paths[] = { "/tmp/a", "/tmp/b", "/var/log/c" };
int main(void)
{
    unsigned which = (unsigned)ask() % 3;
    FILE *f = fopen(paths[which], "r");
    return f == NULL;
}
