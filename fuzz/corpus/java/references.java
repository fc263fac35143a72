class Client implements Runnable {
    public void run() { Main.shared.touch(); }
}
class Box { synchronized void touch() { } }
class Main {
    static volatile Box shared;
    public static void main(String[] args) {
        shared = new Box();
        while (true) { new Thread(new Client()).start(); }
    }
}
