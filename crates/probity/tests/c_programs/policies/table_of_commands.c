// expect: fails rule-1
// policy: deny to public { permission function system }
// A command is called through a table of functions.
#include <stdlib.h>
int ask(void);
static int say(const char *text) { (void)text; return 0; }
static int (*const commands[])(const char *) = { say, system };
int main(void)
{
    int which = ask();
    if (which != 0 && which != 1)
        return 0;
    return commands[which]("ls");
}
