// expect: holds
// policy: deny to public { permission function system }
#include <stdlib.h>
int ask(void);
static int say(const char *text) { (void)text; return 0; }
static int be_silent(const char *text) { (void)text; return 1; }
static int run(const char *text) { return system(text); }
static int (*const commands[])(const char *) = { say, be_silent, run };
int main(void)
{
    int which = ask();
    if (which != 0 && which != 1)
        return 0;
    return commands[which]("ls");
}
