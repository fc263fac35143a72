// Any number of clients count together. Whoever counts holds the monitor of `lock`.
class Client implements Runnable {
    public void run() {
        while (true) {
            synchronized (Counter.lock) {
                Counter.count = Counter.count + 1;
            }
        }
    }
}

public class Counter {
    static final Object lock = new Object();
    static int count;

    public static void main(String[] args) {
        while (true) {
            Thread client = new Thread(new Client());
            client.start();
        }
    }
}
