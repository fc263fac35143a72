#define N 2
mtype = { ask, yes, no };
typedef Pair { byte left; short right[2] };
chan q = [N] of { mtype, byte };
chan meet = [0] of { bit };
Pair p;
byte turn, waiting[3];
inline enter(who) { waiting[who] = 1; atomic { turn == who -> waiting[who] = 0 } }
active [2] proctype client(byte me) priority 1 provided (turn < 3) {
    mtype answer;
    do
    :: q ! ask(_pid) -> meet ? 1
    :: q ?? [yes, eval(_pid)] -> q ?? yes, eval(_pid); break
    :: timeout -> goto done
    :: else -> skip
    od;
done: enter(1);
    assert(turn <= N && p.left != 3)
}
init {
    byte i;
    for (i : 0 .. 2) { p.right[i % 2] = i << 1 }
    select (i : 1 .. 3);
    d_step { if :: i > 2 -> turn = 1 :: i <= 2 -> turn = 0 fi; i = 0 };
    { meet ! 1 } unless { len(q) > 0 && nempty(q) };
    run worker(i)
}
proctype worker(int n) { printf("n %d\n", n); end: do :: full(q) -> q ? _, _ :: turn = (n > 0 -> n - 1 : ~n) od }
ltl answered { [] ((turn == 1) -> <> (turn == 0)) }
never { T0_init: do :: (turn > 2) -> goto accept_S :: true od; accept_S: skip }
