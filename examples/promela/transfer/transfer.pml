/* Two clerks move money between two accounts. Each reads a balance, thinks, and writes it back. */

typedef Account { short balance };
Account accounts[2];
byte done;

proctype Clerk(byte from, to; short amount) {
    short before;

    before = accounts[from].balance;
    accounts[from].balance = before - amount;
    before = accounts[to].balance;
    accounts[to].balance = before + amount;
    done++
}

init {
    atomic {
        accounts[0].balance = 100;
        accounts[1].balance = 100;
        run Clerk(0, 1, 30);
        run Clerk(1, 0, 50)
    }
}

#define total (accounts[0].balance + accounts[1].balance)

/* When both are done, no money has come or gone. */
never lost_money {
    do
    :: done == 2 && total != 200 -> break
    :: else
    od
}
