/* Election of a leader on a ring, after Chang and Roberts (1979): every station sends its number
   round; a station passes on the numbers above its own and swallows those below. Whoever gets its
   own number back has won, and says so to all. */

#ifndef N
#define N 4
#endif

mtype = { candidate, elected };
chan ring[N] = [N] of { mtype, byte };
byte leaders, informed;

proctype Station(chan left, right; byte me) {
    byte number;

    right!candidate,me;
    do
    :: left?candidate,number ->
       if
       :: number > me -> right!candidate,number
       :: number < me                           /* swallowed */
       :: number == me ->
          leaders++;
          assert(leaders == 1 && me == N);
          right!elected,me
       fi
    :: left?elected,number ->
       informed++;
       if
       :: number != me -> right!elected,number
       :: else                                  /* it came all the way round */
       fi;
       break
    od
}

init {
    byte at;
    atomic {
        /* The numbers do not stand in order round the ring. */
        for (at : 0 .. N - 1) {
            run Station(ring[at], ring[(at + 1) % N], (at * 3) % N + 1)
        }
    }
}

/* Somebody wins, and in the end everybody knows. */
ltl decided { <> (leaders == 1) }
ltl all_know { <> [] (informed == N) }
