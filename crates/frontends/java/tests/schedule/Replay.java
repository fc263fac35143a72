// Runs a program step by step in the order of a schedule, by the debugger's interface, and says whether
// it ends as the schedule says: `java Replay.java FOLDER MAIN SCHEDULE CLASS...`.
//
// A line of a schedule is a thread, what it does, and what that is done to:
//   t read C.f | t write C.f | t lock | t unlock | t start NEW | t wait | t relock | t notify
// The last one is how the run ends:
//   t throws EXCEPTION | t races C.f | - stuck

import com.sun.jdi.*;
import com.sun.jdi.connect.*;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.util.*;

public class Replay {
    static final int MOST_STEPS = 20_000;
    static final String[] LIBRARY = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};

    final VirtualMachine vm;
    final EventRequestManager requests;
    final Map<String, ThreadReference> threads = new HashMap<>();
    final Deque<ThreadReference> fresh = new ArrayDeque<>();
    /// The event by which each thread was stopped that does not run.
    final Map<ThreadReference, Event> stopped = new HashMap<>();
    final Set<ThreadReference> dead = new HashSet<>();

    Replay(VirtualMachine vm) {
        this.vm = vm;
        this.requests = vm.eventRequestManager();
    }

    public static void main(String[] arguments) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> with = connector.defaultArguments();
        with.get("options").setValue("-ea -XX:TieredStopAtLevel=1 -cp " + arguments[0]);
        with.get("main").setValue(arguments[1]);
        Replay replay = new Replay(connector.launch(with));
        List<String> classes = Arrays.asList(arguments).subList(3, arguments.length);
        try {
            replay.begin(arguments[1], classes);
            System.out.println(replay.run(Files.readAllLines(Path.of(arguments[2]))));
        } catch (VMDisconnectedException gone) {
            System.out.println("not reproduced: the program has ended");
        } finally {
            replay.vm.process().destroyForcibly();
        }
    }

    /// Runs until main begins, loads all classes, and from then on stops each new thread.
    void begin(String main, List<String> classes) throws Exception {
        ClassPrepareRequest prepared = requests.createClassPrepareRequest();
        prepared.addClassFilter(main);
        prepared.enable();
        ReferenceType type = ((ClassPrepareEvent) first(ClassPrepareEvent.class)).referenceType();
        BreakpointRequest here = requests.createBreakpointRequest(type.methodsByName("main").get(0).location());
        here.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        here.enable();
        vm.resume();
        Event event = first(BreakpointEvent.class);
        here.disable();
        ThreadReference thread = ((BreakpointEvent) event).thread();
        threads.put("main", thread);
        stopped.put(thread, event);
        ClassType java = (ClassType) vm.classesByName("java.lang.Class").get(0);
        Method load = java.concreteMethodByName("forName", "(Ljava/lang/String;)Ljava/lang/Class;");
        for (String name : classes) {
            List<Value> named = List.of(vm.mirrorOf(name));
            java.invokeMethod(thread, load, named, ObjectReference.INVOKE_SINGLE_THREADED);
        }
        ThreadStartRequest starts = requests.createThreadStartRequest();
        starts.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        ThreadDeathRequest ends = requests.createThreadDeathRequest();
        ends.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        ExceptionRequest thrown = requests.createExceptionRequest(null, true, true);
        thrown.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        for (EventRequest request : List.of(starts, ends, thrown)) request.enable();
    }

    Event first(Class<?> kind) throws Exception {
        while (true) {
            EventSet events = vm.eventQueue().remove(30_000);
            if (events == null) throw new IllegalStateException("nothing happens");
            for (Event event : events) if (kind.isInstance(event)) return event;
            events.resume();
        }
    }

    String run(List<String> schedule) throws Exception {
        for (String line : schedule.subList(0, schedule.size() - 1)) {
            String[] words = line.split(" ");
            if (!perform(threads.get(words[0]), words[1], words.length > 2 ? words[2] : "")) {
                return "not reproduced: " + line;
            }
        }
        String line = schedule.get(schedule.size() - 1);
        String[] last = line.split(" ");
        boolean well = switch (last[1]) {
            case "throws" -> isThrown(threads.get(last[0]), last[2]);
            case "races" -> races(threads.get(last[0]), last[2]);
            default -> stuck();
        };
        return well ? "reproduced" : "not reproduced: " + line;
    }

    /// Lets a thread go on until it has done something.
    boolean perform(ThreadReference thread, String what, String whom) throws Exception {
        if (thread == null) return false;
        // Values of constants are part of the code.
        if (what.equals("read") && field(whom).isStatic() && field(whom).isFinal()) return true;
        for (int steps = 0; steps < MOST_STEPS && !dead.contains(thread); steps++) {
            boolean inside = isInside(thread);
            String next = inside ? next(thread) : "";
            boolean waits = !step(thread, next.equals("wait") ? 200 : 5_000);
            boolean entered = !inside && isInside(thread) && isMonitor(thread);
            if (waits) return what.equals("wait") && next.equals("wait");
            // Who was in `wait` and stands behind it has the monitor again.
            if (what.equals("relock")) return true;
            boolean done = what.equals("lock") && entered;
            done |= next.equals(whom.isEmpty() || what.equals("start") ? what : what + " " + whom);
            if (!done) continue;
            for (int rounds = 0; what.equals("start") && fresh.isEmpty() && rounds < 250; rounds++) look(20);
            if (what.equals("start")) threads.put(whom, fresh.remove());
            return true;
        }
        return what.equals("unlock") && dead.contains(thread);
    }

    /// One step of a thread; false: it is blocked.
    boolean step(ThreadReference thread, long limit) throws Exception {
        if (stopped.containsKey(thread)) {
            for (StepRequest old : new ArrayList<>(requests.stepRequests())) {
                if (old.thread().equals(thread)) requests.deleteEventRequest(old);
            }
            int depth = isInside(thread) && callsLibrary(thread) ? StepRequest.STEP_OVER : StepRequest.STEP_INTO;
            StepRequest request = requests.createStepRequest(thread, StepRequest.STEP_MIN, depth);
            for (String library : LIBRARY) request.addClassExclusionFilter(library);
            request.addCountFilter(1);
            request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            request.enable();
            stopped.remove(thread);
            thread.resume();
        }
        long end = System.currentTimeMillis() + limit;
        while (!stopped.containsKey(thread) && !dead.contains(thread)) {
            if (System.currentTimeMillis() > end) return false;
            look(20);
        }
        return true;
    }

    /// Takes note of what has happened.
    void look(long limit) throws Exception {
        EventSet events = vm.eventQueue().remove(limit);
        if (events == null) return;
        for (Event event : events) {
            if (event instanceof ThreadDeathEvent death) {
                dead.add(death.thread());
            } else if (event instanceof ThreadStartEvent start && isOfProgram(start.thread())) {
                fresh.add(start.thread());
                stopped.put(start.thread(), event);
            } else if (event instanceof StepEvent step) {
                // What else stops a thread there says more.
                stopped.putIfAbsent(step.thread(), event);
            } else if (event instanceof LocatableEvent located) {
                stopped.put(located.thread(), event);
            } else {
                events.resume();
            }
        }
    }

    /// Threads of the machine are not to be stopped.
    boolean isOfProgram(ThreadReference thread) {
        return thread.threadGroup().name().equals("main") && !thread.name().equals("DestroyJavaVM");
    }

    boolean isInside(ThreadReference thread) throws Exception {
        if (!stopped.containsKey(thread) || thread.frameCount() == 0) return false;
        String type = thread.frame(0).location().declaringType().name();
        return Arrays.stream(LIBRARY).noneMatch(one -> type.startsWith(one.substring(0, one.length() - 1)));
    }

    /// Whether the method that a thread is in has taken a monitor.
    boolean isMonitor(ThreadReference thread) throws Exception {
        return thread.frame(0).location().method().isSynchronized();
    }

    /// What a thread does next.
    String next(ThreadReference thread) throws Exception {
        Location at = thread.frame(0).location();
        byte[] code = at.method().bytecodes();
        int pc = (int) at.codeIndex();
        int op = code[pc] & 0xff;
        if (op >= 0xac && op <= 0xb1) return at.method().isSynchronized() ? "unlock" : "";
        if (op == 0xc2) return "lock";
        if (op == 0xc3) return "unlock";
        if (op < 0xb2 || op > 0xb9) return "";
        String[] member = new Pool(at.declaringType()).member((code[pc + 1] & 0xff) << 8 | code[pc + 2] & 0xff);
        if (op <= 0xb5) return (op % 2 == 0 ? "read " : "write ") + member[0] + "." + member[1];
        if (member[1].equals("start") && member[2].equals("()V")) return "start";
        if (member[1].equals("wait")) return "wait";
        if (member[1].equals("notify") || member[1].equals("notifyAll")) return "notify";
        for (ReferenceType type : vm.classesByName(member[0].replace('/', '.'))) {
            for (Method method : type.methodsByName(member[1], member[2])) {
                if (method.isSynchronized()) return "lock";
            }
        }
        return "";
    }

    /// Whether a thread calls a method of the library next, which does not call the program.
    boolean callsLibrary(ThreadReference thread) throws Exception {
        Location at = thread.frame(0).location();
        byte[] code = at.method().bytecodes();
        int pc = (int) at.codeIndex();
        int op = code[pc] & 0xff;
        if (op < 0xb6 || op > 0xb9) return false;
        String[] member = new Pool(at.declaringType()).member((code[pc + 1] & 0xff) << 8 | code[pc + 2] & 0xff);
        boolean known = Set.of("start", "wait", "notify", "notifyAll", "join").contains(member[1]);
        return known || member[0].startsWith("java/") && !member[1].equals("run");
    }

    /// Whether a thread comes to throw an exception.
    boolean isThrown(ThreadReference thread, String exception) throws Exception {
        for (int steps = 0; thread != null && steps < MOST_STEPS && !dead.contains(thread); steps++) {
            if (stopped.get(thread) instanceof ExceptionEvent event
                    && event.exception().referenceType().name().equals(exception)) return true;
            if (!step(thread, 2_000)) return false;
        }
        return false;
    }

    /// Whether a thread and another one both stand before an access to a field, of the same object, and one
    /// of them writes.
    boolean races(ThreadReference thread, String name) throws Exception {
        Field field = field(name);
        WatchpointRequest[] watches = {
            requests.createAccessWatchpointRequest(field), requests.createModificationWatchpointRequest(field)};
        for (WatchpointRequest watch : watches) {
            watch.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            watch.enable();
        }
        WatchpointEvent own = access(thread, field);
        if (own == null) return false;
        for (ThreadReference other : threads.values()) {
            if (other.equals(thread)) continue;
            WatchpointEvent theirs = access(other, field);
            if (theirs == null || !Objects.equals(own.object(), theirs.object())) continue;
            if (own instanceof ModificationWatchpointEvent || theirs instanceof ModificationWatchpointEvent) return true;
        }
        return false;
    }

    Field field(String name) {
        int dot = name.lastIndexOf('.');
        return vm.classesByName(name.substring(0, dot)).get(0).fieldByName(name.substring(dot + 1));
    }

    /// Lets a thread go on until it is about to access a field.
    WatchpointEvent access(ThreadReference thread, Field field) throws Exception {
        for (int steps = 0; thread != null && steps < 500 && !dead.contains(thread); steps++) {
            if (stopped.get(thread) instanceof WatchpointEvent event && event.field().equals(field)) return event;
            if (!step(thread, 500)) return null;
        }
        return null;
    }

    /// Whether threads are blocked for ever: all that have not ended, or some in a circle of monitors.
    boolean stuck() throws Exception {
        for (ExceptionRequest thrown : requests.exceptionRequests()) thrown.disable();
        for (boolean all : new boolean[] {false, true}) {
            for (ThreadReference thread : threads.values()) {
                if (!all && thread.equals(threads.get("main"))) continue;
                if (stopped.remove(thread) != null) {
                    requests.deleteEventRequests(new ArrayList<>(requests.stepRequests()));
                    thread.resume();
                }
            }
            for (int rounds = 0; rounds < (all ? 20 : 3); rounds++) {
                for (int looks = 0; looks < 10; looks++) look(20);
                vm.suspend();
                boolean stuck = circle() || all && blocked();
                vm.resume();
                if (stuck) return true;
            }
        }
        return false;
    }

    boolean blocked() {
        List<ThreadReference> alive = new ArrayList<>(threads.values());
        alive.addAll(fresh);
        alive.removeAll(dead);
        return !alive.isEmpty() && alive.stream().allMatch(thread -> {
            int status = thread.status();
            return !stopped.containsKey(thread)
                    && (status == ThreadReference.THREAD_STATUS_MONITOR || status == ThreadReference.THREAD_STATUS_WAIT);
        });
    }

    boolean circle() throws Exception {
        for (ThreadReference begin : threads.values()) {
            ThreadReference at = begin;
            for (int length = 0; at != null && length <= threads.size(); length++) {
                at = dead.contains(at) ? null : awaited(at);
                if (begin.equals(at)) return true;
            }
        }
        return false;
    }

    /// The thread that has the monitor, or has to end, for which a thread waits.
    ThreadReference awaited(ThreadReference thread) throws Exception {
        if (thread.status() == ThreadReference.THREAD_STATUS_MONITOR) {
            ObjectReference monitor = thread.currentContendedMonitor();
            return monitor == null ? null : monitor.owningThread();
        }
        for (StackFrame frame : thread.frames()) {
            Method method = frame.location().method();
            boolean joins = method.name().equals("join") && method.declaringType().name().equals("java.lang.Thread");
            if (joins && frame.thisObject() instanceof ThreadReference ending) return ending;
        }
        return null;
    }

    /// The constants of a class.
    static class Pool {
        final Object[] entries;

        Pool(ReferenceType type) {
            ByteBuffer bytes = ByteBuffer.wrap(type.constantPool());
            entries = new Object[type.constantPoolCount()];
            for (int at = 1; at < entries.length; at++) {
                int tag = bytes.get();
                switch (tag) {
                    case 1 -> {
                        byte[] text = new byte[bytes.getShort() & 0xffff];
                        bytes.get(text);
                        entries[at] = new String(text);
                    }
                    case 7, 8, 16, 19, 20 -> entries[at] = new int[] {bytes.getShort() & 0xffff};
                    case 15 -> bytes.position(bytes.position() + 3);
                    case 5, 6 -> {
                        bytes.getLong();
                        at++;
                    }
                    case 9, 10, 11, 12, 17, 18 ->
                            entries[at] = new int[] {bytes.getShort() & 0xffff, bytes.getShort() & 0xffff};
                    default -> bytes.getInt();
                }
            }
        }

        /// The class, the name and the type of a field or a method.
        String[] member(int at) {
            int[] pair = (int[]) entries[at];
            int[] named = (int[]) entries[pair[1]];
            String type = entries[pair[0]] instanceof int[] one && one.length == 1 ? (String) entries[one[0]] : "";
            return new String[] {type, (String) entries[named[0]], (String) entries[named[1]]};
        }
    }
}
