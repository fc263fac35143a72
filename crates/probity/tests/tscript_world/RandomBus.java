package toolbus;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

import aterm.ATerm;
import aterm.ATermAppl;
import aterm.ATermList;
import toolbus.atom.Delta;
import toolbus.communication.IIOHandler;
import toolbus.process.DynamicProcessCall;
import toolbus.process.Merge;
import toolbus.process.ProcessCall;
import toolbus.process.ProcessExpression;
import toolbus.process.ProcessInstance;
import toolbus.process.RightBiasedAlternative;
import toolbus.tool.ToolInstance;

/**
 * Runs scripts in the bus: its own atoms, but the next step is drawn at random, and tools are played here.
 *
 * A line of input is: the script's file, the seed, how many runs, how many steps, whether a tool comes by
 * itself; then, separated by tabs, the events that tools may send and, behind an empty field, their answers.
 * For each run a line comes back: the labels printed, and how the run ended.
 */
public class RandomBus{
	private static final PrintStream REPORT = System.out;
	private static Random random;
	
	/** A tool as its adapter has it: one event of a word at a time, one answer for each question. */
	private static final class Player implements IIOHandler{
		final ToolInstance tool;
		final boolean caller;
		final HashSet<String> unacknowledged = new HashSet<String>();
		boolean connected = false;
		boolean lost = false;
		boolean asked = false;
		boolean told = false;
		boolean leaving = false;
		
		Player(ToolInstance tool, boolean caller){
			this.tool = tool;
			this.caller = caller;
			tool.setIOHandler(this);
		}
		
		public void send(byte operation, ATerm term){
			if(operation == IOperations.EVAL) asked = true;
			if(operation == IOperations.DO) told = true;
			if(operation == IOperations.TERMINATE) leaving = true;
			if(operation == IOperations.ACKEVENT){
				unacknowledged.remove(((ATermAppl) ((ATermList) term).getFirst()).getName());
			}
		}
		
		public void receive(byte operation, ATerm term){}
		public void terminate(){}
		public void shutDown(){}
		public void exceptionOccured(){}
	}
	
	/** A bus that shuts down without waiting for tools. */
	private static final class Bus extends ToolBus{
		Bus(String file, StringWriter printed){
			super(new String[]{"-S" + file}, printed);
		}
		
		public void shutdown(ATerm message){
			shuttingDown = true;
		}
	}
	
	private static Object get(Class<?> of, String name, Object in) throws Exception{
		Field field = of.getDeclaredField(name);
		field.setAccessible(true);
		return field.get(in);
	}
	
	/** What a process expression may do first. */
	private static State first(Object expression) throws Exception{
		Method first = ProcessExpression.class.getDeclaredMethod("getFirst");
		first.setAccessible(true);
		return (State) first.invoke(expression);
	}
	
	/** The bus takes turns among what a state offers; here a coin says whose turn it is. */
	private static void shuffle(State state) throws Exception{
		Field last = State.class.getDeclaredField("lastElement");
		last.setAccessible(true);
		if(state.size() > 0) last.setInt(state, random.nextInt(state.size()));
		for(StateElement element : state.getElementsAsList()){
			Class<?> of = element.getClass();
			if(element instanceof Merge || element instanceof RightBiasedAlternative){
				for(State part : (State[]) get(of, "state", element)) shuffle(part);
			}else if(element instanceof ProcessCall || element instanceof DynamicProcessCall){
				Object called = get(of, "PE", element);
				if(called != null) shuffle(first(called));
			}
		}
	}
	
	private static boolean isOver(State state){
		for(StateElement element : state.getElementsAsList()){
			if(!(element instanceof Delta)) return false;
		}
		return true;
	}
	
	private static String run(String file, int steps, boolean caller, List<String> events, List<String> answers) throws Exception{
		final List<Player> players = new ArrayList<Player>();
		StringWriter printed = new StringWriter();
		ToolBus bus = new Bus(file, printed);
		bus.setToolExecutorFactory((tool, definition, of) -> () -> players.add(new Player(tool, false)));
		try{
			bus.parsecup();
		}catch(Exception refused){
			return "|refused " + refused.getMessage();
		}
		if(caller){
			ToolInstance tool = new ToolInstance(bus.getToolDefinition("c"), bus);
			bus.getToolInstanceManager().addDynamiclyConnectedTool(tool);
			players.add(new Player(tool, true));
		}
		String ending = "open";
		int labels = 0;
		run: for(int step = 0; step < steps; step++){
			labels = printed.getBuffer().length();
			boolean outside = random.nextInt(3) == 0 && plays(bus, players, events, answers);
			if(outside) continue;
			List<ProcessInstance> order = new ArrayList<ProcessInstance>(bus.processes);
			Collections.shuffle(order, random);
			boolean stepped = false;
			boolean over = true;
			for(ProcessInstance process : order){
				shuffle(process.getCurrentState());
				over &= isOver(process.getCurrentState());
				try{
					stepped = process.step();
				}catch(toolbus.exceptions.ToolBusException | RuntimeException halt){
					ending = "halted " + halt;
					break run;
				}
				if(process.isTerminated()){
					process.terminate();
					bus.processes.remove(process);
				}
				if(bus.shuttingDown){
					ending = "down";
					break run;
				}
				if(stepped) break;
			}
			for(ProcessInstance process : bus.processes){
				// That many notes are looked at, and no more.
				if(process.getNoteQueue().size() > 3){
					printed.getBuffer().setLength(labels);
					break run;
				}
			}
			if(!stepped && !plays(bus, players, events, answers)){
				ending = over ? "done" : "stuck";
				break;
			}
		}
		return printed.toString().replace("L", " ").replace("\n", " ") + "|" + ending;
	}
	
	/** Something that a tool does; whether there was anything. */
	private static boolean plays(ToolBus bus, List<Player> players, List<String> events, List<String> answers) throws Exception{
		List<Runnable> all = new ArrayList<Runnable>();
		for(Player player : players){
			ToolInstance tool = player.tool;
			if(player.lost) continue;
			if(!player.connected){
				all.add(() -> {
					player.connected = true;
					tool.receive(IOperations.CONNECT, null);
				});
				continue;
			}
			// Nobody has heard of it yet, or of it any more.
			if(bus.getToolInstanceManager().get(tool.getToolKey()) == null) continue;
			if(player.told) all.add(() -> {
				player.told = false;
				tool.receive(IOperations.ACKDO, null);
			});
			if(player.asked && !answers.isEmpty()) all.add(() -> {
				player.asked = false;
				tool.receive(IOperations.VALUE, bus.tbfactory.parse(answers.get(random.nextInt(answers.size()))));
			});
			if(!events.isEmpty() && tool.getQueuedEvents().length < 4){
				ATermAppl event = (ATermAppl) bus.tbfactory.parse(events.get(random.nextInt(events.size())));
				if(!player.unacknowledged.contains(event.getName())) all.add(() -> {
					player.unacknowledged.add(event.getName());
					tool.receive(IOperations.EVENT, event);
				});
			}
			if(player.leaving || player.caller && random.nextInt(5) == 0) all.add(() -> {
				player.lost = true;
				if(random.nextBoolean()) tool.exceptionOccured();
				else tool.receive(IOperations.DISCONNECT, null);
				// What has been sent and not read is taken for lost.
				try{
					((List<?>) get(ToolInstance.class, "eventsFromTool", tool)).clear();
					((List<?>) get(ToolInstance.class, "valuesFromTool", tool)).clear();
				}catch(Exception cannot){
					throw new RuntimeException(cannot);
				}
			});
		}
		if(all.isEmpty()) return false;
		all.get(random.nextInt(all.size())).run();
		return true;
	}
	
	public static void main(String[] args) throws Exception{
		// What the bus itself says is not read.
		System.setOut(System.err);
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
		for(String line = lines.readLine(); line != null; line = lines.readLine()){
			String[] all = line.split("\t", -1);
			random = new Random(Long.parseLong(all[1]));
			((Random) get(Merge.class, "rand", null)).setSeed(random.nextLong());
			List<String> events = new ArrayList<String>();
			List<String> answers = new ArrayList<String>();
			List<String> now = events;
			for(int at = 5; at < all.length; at++){
				if(all[at].isEmpty()) now = answers;
				else now.add(all[at]);
			}
			int runs = Integer.parseInt(all[2]);
			for(int run = 0; run < runs; run++){
				REPORT.println(run(all[0], Integer.parseInt(all[3]), all[4].equals("true"), events, answers).replace('\t', ' '));
			}
			REPORT.println("end");
			REPORT.flush();
		}
	}
}
