/* The protocol by somebody who found the bit superfluous on the way back: any acknowledgement
   counts, so that a late one stands for a message that was lost. */

#define LAST 4

mtype = { data, ack };
chan there = [1] of { mtype, bit, byte };
chan back = [1] of { mtype, bit };
byte got;

active proctype Sender() {
    bit mine, seen;
    byte message = 1;

    do
    :: there!data,mine,message
    :: there?_,_,_                      /* the line loses it */
    :: back?ack,seen ->
       if
       :: true ->                       /* whatever it is for */
          if
          :: message == LAST -> break
          :: else -> message++; mine = 1 - mine
          fi
       :: else                          /* an old one: wait on */
       fi
    od
}

active proctype Receiver() {
    bit expected, bitOf;
    byte message;

end:
    do
    :: there?data,bitOf,message ->
       if
       :: bitOf == expected ->
          got++;
          assert(message == got);       /* each once, in order */
          expected = 1 - expected
       :: else                          /* again: it was received before */
       fi;
       if
       :: back!ack,bitOf
       :: skip                          /* the line loses it */
       fi
    od
}
