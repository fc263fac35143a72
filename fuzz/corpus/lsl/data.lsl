list names = ["a", "b"];
vector where = <1.0, 2.0, 3.0>;
rotation turn = <0.0, 0.0, 0.0, 1.0>;
float f = 0.5;
string s;
integer sum(list of) {
    integer i;
    integer total = 0;
    for (i = 0; i < llGetListLength(of); ++i) { total += llList2Integer(of, i); }
    while (total > 100) { total = total / 2; }
    do { total -= 1; } while (total > 10);
    if (total == 3) jump out;
    total = total % 7;
    @out;
    return total;
}
//@ property positive: always sum_of >= 0;
integer sum_of;
default {
    state_entry() {
        names += ["c"];
        sum_of = sum([1, 2, 3]);
        s = llList2String(names, 0) + (string)where.x + llGetSubString("hello", 1, -2);
        f = llSin(PI) * 2.0 - (float)"3.5";
        where = where * turn + <f, f, f>;
        llListen(0, "", NULL_KEY, "");
    }
    link_message(integer sender, integer num, string str, key id) {
        if (num & 0x0F | ~num ^ 3 << 2) { sum_of = llAbs(num) & 255; }
        s = llDumpList2String(llParseString2List(str, [","], []), "|");
    }
}
