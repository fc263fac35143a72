// expect: holds
// policy: deny to public codeOrigin remote { permission function fopen "/etc/passwd" }
// within: 1
// The agent asks where it comes from, and remembers the answer, before it opens the file.
#include <mobile.h>
#include <stdio.h>

int more_work(void);

int main(void)
{
    FILE *file = NULL;
    int allowed = 0;
    if (!remote())
        allowed = 1;
    while (more_work()) {
        if (allowed)
            file = fopen("/etc/passwd", "r");
        else
            file = fopen("notes", "r");
    }
    return file == NULL;
}
