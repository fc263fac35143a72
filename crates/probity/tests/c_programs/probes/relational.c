// expect: holds
// policy: deny to public codeOrigin remote { permission function connect_to_location bad }
// within: 1
// Needs the invariant that both counters are equal, over a loop without bound. They are unsigned:
// an overflow is no failure.
#include <mobile.h>

int more_work(void);

int main(void)
{
    unsigned asked = 0, answered = 0;
    while (more_work()) {
        asked++;
        connect_to_location("air0");
        answered++;
    }
    if (asked != answered)
        connect_to_location("bad");
    return 0;
}
