// Two threads put nodes on a stack, one of them any number. A monitor guards the two steps of it: no node is
// lost.

/** Objects of such a class are not lost: they can be reached until somebody takes them out. */
@interface NeverLost {
}

@NeverLost
class Node {
    Node next;
}

class Producer extends Thread {
    public void run() {
        Stack.put(new Node());
    }
}

class Stack {
    static final Object lock = new Object();
    static Node top;

    static void put(Node node) {
        synchronized (lock) {
            node.next = top;
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
