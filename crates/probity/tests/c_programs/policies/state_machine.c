// expect: holds
// policy: deny to public codeOrigin remote { permission function connect_to_location }
// An agent that connects only after it has been let in, which remote code never is.
#include <mobile.h>
int ask(void);
int main(void)
{
    enum { OUT, KNOWN, IN } state = OUT;
    for (;;) {
        switch (state) {
        case OUT:
            if (ask())
                state = KNOWN;
            break;
        case KNOWN:
            state = remote() ? OUT : IN;
            break;
        case IN:
            connect_to_location("air0");
            state = OUT;
            break;
        }
    }
}
