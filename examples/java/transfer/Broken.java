// Money goes to and fro between two accounts, in any number of transfers. Each takes the monitor of the
// account first that it takes money from: two of them wait for each other.
class Account {
    int money;
}

class Save extends Thread {
    public void run() {
        synchronized (Broken.checking) {
            synchronized (Broken.savings) {
                Broken.checking.money -= 1;
                Broken.savings.money += 1;
            }
        }
    }
}

class Spend extends Thread {
    public void run() {
        synchronized (Broken.savings) {
            synchronized (Broken.checking) {
                Broken.savings.money -= 1;
                Broken.checking.money += 1;
            }
        }
    }
}

public class Broken {
    static final Account checking = new Account();
    static final Account savings = new Account();

    public static void main(String[] args) {
        while (true) {
            new Save().start();
            new Spend().start();
        }
    }
}
