// Money goes to and fro between two accounts, in any number of transfers. Whatever the direction, the
// monitor of `checking` is taken first.
class Account {
    int money;
}

class Save extends Thread {
    public void run() {
        synchronized (Transfer.checking) {
            synchronized (Transfer.savings) {
                Transfer.checking.money -= 1;
                Transfer.savings.money += 1;
            }
        }
    }
}

class Spend extends Thread {
    public void run() {
        synchronized (Transfer.checking) {
            synchronized (Transfer.savings) {
                Transfer.savings.money -= 1;
                Transfer.checking.money += 1;
            }
        }
    }
}

public class Transfer {
    static final Account checking = new Account();
    static final Account savings = new Account();

    public static void main(String[] args) {
        while (true) {
            new Save().start();
            new Spend().start();
        }
    }
}
