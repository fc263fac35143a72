// Any number of clients count together. Nobody holds a monitor, so that two may count at once.
class Client implements Runnable {
    public void run() {
        while (true) {
            {
                Broken.count = Broken.count + 1;
            }
        }
    }
}

public class Broken {
    static final Object lock = new Object();
    static int count;

    public static void main(String[] args) {
        while (true) {
            Thread client = new Thread(new Client());
            client.start();
        }
    }
}
