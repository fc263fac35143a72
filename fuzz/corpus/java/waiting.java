class Main {
    static final Object lock = new Object();
    public static void main(String[] args) throws InterruptedException {
        new Setter().start();
        synchronized (lock) { lock.wait(); }
    }
}
class Setter extends Thread {
    public void run() { synchronized (Main.lock) { Main.lock.notify(); } }
}
