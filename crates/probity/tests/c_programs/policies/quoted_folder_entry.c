// expect: fails rule-1
// policy: deny to public { permission function fopen "/etc/"* }
#include <stdio.h>
int ask(void);
static const char *const paths[] = { "/tmp/a", "/etc/b", "/var/log/c" };
int main(void)
{
    unsigned which = (unsigned)ask() % 3;
    FILE *f = fopen(paths[which], "r");
    return f == NULL;
}
