/* A process that only declares has ended when it starts. */
byte x;
active proctype E() { byte i; }
active proctype P() { byte i = 1; x++; run F(); x++ }
proctype F() { byte z }
