// expect: fails rule-1
// policy: deny to public codeOrigin remote { permission function connect_to_location }
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
            if (remote())
                state = OUT;
            /* fall through */
        case IN:
            connect_to_location("air0");
            state = OUT;
            break;
        }
    }
}
