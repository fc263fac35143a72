#define p2 (y >= 0)
int x = 3, y;
bool flag[2];
unsigned bits : 5 = 7;
active proctype a() { flag[0] = true; (flag[1] == false || x == 1); x = x * y - 1; progress: y++; assert(y < 4) }
active proctype b() { flag[1] = !flag[0]; accept: do :: x > y -> x-- :: x < y -> y-- :: else -> break od }
ltl p1 { <> [] (x == y) && (p2 U !flag[0]) }
