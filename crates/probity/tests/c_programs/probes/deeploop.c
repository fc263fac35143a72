// expect: fails rule-1
// policy: deny to public codeOrigin remote { permission function connect_to_location bad }
// within: 1
// The call is made in round 200 only.
#include <mobile.h>

int main(void)
{
    for (int round = 0; round < 1000; round++) {
        if (round == 200)
            connect_to_location("bad");
    }
    return 0;
}
