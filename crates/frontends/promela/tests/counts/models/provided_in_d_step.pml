/* What is provided counts where a d_step begins, and at each statement of an atomic sequence. */
byte g = 1;
active proctype P() provided (g == 1) { d_step { g = 0; skip; g = 2 }; atomic { g = 0; g = 3 } }
active proctype Q() { g == 2 -> g = 1; g == 0 -> g = 1 }
