/* The same clerks, with one ledger that only one of them can have open: a channel holds its key. */

typedef Account { short balance };
Account accounts[2];
byte done;
chan ledger = [1] of { bit };

proctype Clerk(byte from, to; short amount) {
    short before;

    ledger?_;
    before = accounts[from].balance;
    accounts[from].balance = before - amount;
    before = accounts[to].balance;
    accounts[to].balance = before + amount;
    done++;
    ledger!1
}

init {
    atomic {
        accounts[0].balance = 100;
        accounts[1].balance = 100;
        ledger!1;
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
