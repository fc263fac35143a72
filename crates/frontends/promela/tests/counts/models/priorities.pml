/* Only those of the highest priority among the executable ones move. */
byte x; chan c = [1] of { byte };
active proctype L() priority 1 { x++; c!1; x++ }
active proctype H() priority 5 { byte v; c?v; x = x + 10; set_priority(0, 7); x++; x++ }
active [2] proctype M() priority 3 { x++; x > 3 -> skip; assert(_priority == 3) }
