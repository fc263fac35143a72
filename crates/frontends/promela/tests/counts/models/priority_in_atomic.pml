/* Somebody of higher priority comes in between. */
byte x;
active proctype L() priority 1 { byte i; atomic { x = 1; x = 2; x = 3 }; x = 4 }
active proctype H() priority 2 { byte i; x == 1 -> x = 5; x == 2 -> i = 1 }
