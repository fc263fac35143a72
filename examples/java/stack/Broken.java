// Two threads put nodes on a stack. A monitor guards each of the two steps of it, so that there is no race;
// but between them the other thread may put a node there, which is lost then.

/** Objects of such a class are not lost: they can be reached until somebody takes them out. */
@interface NeverLost {
}

@NeverLost
class Node {
    Node next;
}

class Producer extends Thread {
    public void run() {
        Broken.put(new Node());
    }
}

class Broken {
    static final Object lock = new Object();
    static Node top;

    static void put(Node node) {
        synchronized (lock) {
            node.next = top;
        }
        synchronized (lock) {
            top = node;
        }
    }

    public static void main(String[] args) {
        new Producer().start();
        while (true) {
            put(new Node());
        }
    }
}
