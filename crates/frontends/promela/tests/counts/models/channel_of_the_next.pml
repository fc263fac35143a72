/* Wherever a process is started, its own channel is the same. */
byte s;
proctype P() { chan own = [1] of { bit }; s = 1 }
init { run P(); (s == 1); run P(); s = 2 }
