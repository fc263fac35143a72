//! Random scripts that send each other messages, run twice: as a program, in all orders, and by a small
//! simulation that shares nothing with the front end. It interleaves scripts at every statement, puts
//! all events into queues of 64, and drops what the state does not handle when its turn comes.
//!
//! Wherever the simulation comes to rest, the program has to be able to come to rest, too.

#![expect(clippy::print_stdout, reason = "prints what was met")]

mod linkset;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::rc::Rc;

use fastrand::Rng;
use linkset::{Walk, load};
use model::interp::State;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Number(i32),
    Variable(usize),
    /// The number that the event brings.
    Event,
    /// The link number of who has sent it.
    Sender,
}

#[derive(Clone, Debug)]
enum Stmt {
    Set(usize, Value),
    /// `t = (t * 5 + c) % 97`: in which order things were done.
    Trace(i32),
    /// If there is fuel.
    Send(Value, Value),
    If(Value, i32, Body, Body),
    Goto(usize),
    Sleep,
    /// Something is done to a script of the prim, if there is fuel.
    Order(Act, usize),
    /// A call of the script's function, which may return early.
    Call(Value),
    Return,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Act {
    Reset,
    Stop,
    Start,
    Remove,
}

type Body = Rc<Vec<Stmt>>;

/// The events that a state may handle.
const EVENTS: [&str; 3] = ["state_entry", "touch_start", "link_message"];
const NAMES: [&str; 3] = ["a", "b", "c"];
const VARIABLES: [&str; 4] = ["x", "y", "t", "fuel"];
const TRACE: usize = 2;
const FUEL: usize = 3;

#[derive(Clone, Debug)]
struct Script {
    name: String,
    prim: usize,
    states: Vec<[Option<Body>; 3]>,
    function: Body,
}

struct Maker {
    rng: Rng,
    prims: i32,
    /// To how many scripts the one that is being made may do something.
    orders: usize,
}

impl Maker {
    fn value(&mut self, in_event: bool) -> Value {
        match self.rng.u8(0..if in_event { 8 } else { 5 }) {
            0..=2 => Value::Number(self.rng.i32(0..4)),
            3 => Value::Variable(0),
            4 => Value::Variable(1),
            5 | 6 => Value::Event,
            _ => Value::Sender,
        }
    }

    fn link(&mut self, in_event: bool) -> Value {
        match self.rng.u8(0..10) {
            0 | 1 if in_event => Value::Sender,
            0..=2 => Value::Number(self.rng.i32(1..=self.prims + 1)),
            _ => Value::Number(-self.rng.i32(1..=4)),
        }
    }

    fn body(&mut self, depth: u32, in_event: bool, in_function: bool) -> Body {
        let count = self.rng.usize(1..=3);
        let statement = |_| self.statement(depth, in_event, in_function);
        Rc::new((0..count).map(statement).collect())
    }

    fn statement(&mut self, depth: u32, in_event: bool, in_function: bool) -> Stmt {
        if self.orders > 0 && self.rng.u8(0..3) == 0 {
            let target = self.rng.usize(0..self.orders);
            // One that resets itself would have its fuel back.
            let least = usize::from(target == 0);
            let acts = [Act::Reset, Act::Stop, Act::Start, Act::Remove];
            return Stmt::Order(acts[self.rng.usize(least..4)], target);
        }
        match self.rng.u8(0..16) {
            0 | 1 => Stmt::Set(self.rng.usize(0..2), self.value(in_event)),
            2 | 3 => Stmt::Trace(self.rng.i32(1..5)),
            4..=8 => Stmt::Send(self.link(in_event), self.value(in_event)),
            9 | 10 if depth > 0 => Stmt::If(
                self.value(in_event),
                self.rng.i32(0..3),
                self.body(depth - 1, in_event, in_function),
                self.body(depth - 1, in_event, in_function),
            ),
            11 | 12 if !in_function => Stmt::Call(self.value(in_event)),
            11 => Stmt::Return,
            13 if !in_function => Stmt::Goto(self.rng.usize(0..2)),
            14 => Stmt::Sleep,
            _ => Stmt::Trace(self.rng.i32(1..5)),
        }
    }

    fn script(&mut self, number: usize) -> Script {
        let prim = match number {
            0 => 0,
            _ => self.rng.usize(0..usize::try_from(self.prims).expect("few")),
        };
        let mut state = |first: bool| {
            let entry = self.rng.u8(0..4) == 0;
            [
                entry.then(|| self.body(1, false, false)),
                (first || self.rng.bool()).then(|| self.body(2, false, false)),
                (self.rng.u8(0..5) > 0).then(|| self.body(2, true, false)),
            ]
        };
        let states = vec![state(true), state(false)];
        Script {
            name: NAMES[number].to_owned(),
            prim,
            states,
            function: self.body(1, true, true),
        }
    }
}

fn shown(value: Value) -> String {
    match value {
        Value::Number(n) => n.to_string(),
        Value::Variable(v) => VARIABLES[v].to_owned(),
        Value::Event => "n".to_owned(),
        Value::Sender => "sender".to_owned(),
    }
}

fn print(body: &Body, out: &mut String) {
    for stmt in body.iter() {
        let _ = match stmt {
            Stmt::Set(v, value) => writeln!(out, "{} = {};", VARIABLES[*v], shown(*value)),
            Stmt::Trace(c) => writeln!(out, "t = (t * 5 + {c}) % 97;"),
            Stmt::Send(link, value) => writeln!(
                out,
                "if (fuel > 0) {{ --fuel; llMessageLinked({}, {}, \"\", \"\"); }}",
                shown(*link),
                shown(*value)
            ),
            Stmt::If(value, wanted, then, otherwise) => {
                let _ = writeln!(out, "if ({} == {wanted}) {{", shown(*value));
                print(then, out);
                let _ = writeln!(out, "}} else {{");
                print(otherwise, out);
                writeln!(out, "}}")
            }
            Stmt::Goto(state) => writeln!(out, "state {};", ["default", "other"][*state]),
            Stmt::Sleep => writeln!(out, "llSleep(1.0);"),
            Stmt::Order(act, target) => {
                let name = NAMES[*target];
                let call = match act {
                    Act::Reset => format!("llResetOtherScript(\"{name}\")"),
                    Act::Stop => format!("llSetScriptState(\"{name}\", FALSE)"),
                    Act::Start => format!("llSetScriptState(\"{name}\", TRUE)"),
                    Act::Remove => format!("llRemoveInventory(\"{name}\")"),
                };
                writeln!(out, "if (fuel > 0) {{ --fuel; {call}; }}")
            }
            Stmt::Call(value) => writeln!(out, "x = f({}, sender_);", shown(*value)),
            Stmt::Return => writeln!(out, "return n;"),
        };
    }
}

fn text(script: &Script, fuel: i32) -> String {
    let mut out = format!("integer x; integer y; integer t; integer fuel = {fuel};\n");
    let _ = writeln!(out, "integer f(integer n, integer sender) {{");
    print(&script.function, &mut out);
    let _ = writeln!(out, "return y; }}");
    for (name, state) in ["default", "state other"].iter().zip(&script.states) {
        let _ = writeln!(out, "{name} {{");
        for (event, body) in EVENTS.iter().zip(state) {
            let Some(body) = body else { continue };
            let parameters = match *event {
                "touch_start" => "integer touches",
                "link_message" => "integer sender, integer n, string s, key id",
                _ => "",
            };
            let _ = writeln!(out, "{event}({parameters}) {{");
            let sender = if *event == "link_message" {
                "sender"
            } else {
                "0"
            };
            let _ = writeln!(out, "integer sender_ = {sender};");
            print(body, &mut out);
            let _ = writeln!(out, "}}");
        }
        let _ = writeln!(out, "touch_end(integer touches) {{ }} }}");
    }
    out
}

/// Code that waits to go on: a body, how far it has come, the event's values, and whether it is that of
/// the function.
struct Frame {
    body: Body,
    at: usize,
    event: (i32, i32),
    is_function: bool,
}

#[derive(Default)]
struct Machine {
    variables: [i32; 4],
    state: usize,
    enters: bool,
    queue: VecDeque<(usize, i32, i32)>,
    stack: Vec<Frame>,
    off: bool,
    gone: bool,
    /// It has halted itself, and goes on for a while.
    goes_on: bool,
}

impl Machine {
    fn fresh(fuel: i32) -> Machine {
        Machine {
            variables: [0, 0, 0, fuel],
            enters: true,
            ..Machine::default()
        }
    }

    fn is_halted(&self) -> bool {
        (self.off || self.gone) && !self.goes_on
    }
}

/// What the simulation has met.
type Met = BTreeMap<&'static str, usize>;

struct Run<'a> {
    scripts: &'a [Script],
    prims: usize,
    machines: Vec<Machine>,
    touches: Vec<usize>,
    fuel: i32,
    rng: Rng,
}

impl Run<'_> {
    fn link_number(&self, prim: usize) -> i32 {
        if self.prims == 1 {
            0
        } else {
            i32::try_from(prim).expect("few") + 1
        }
    }

    fn value(&self, script: usize, value: Value, event: (i32, i32)) -> i32 {
        match value {
            Value::Number(n) => n,
            Value::Variable(v) => self.machines[script].variables[v],
            Value::Event => event.0,
            Value::Sender => event.1,
        }
    }

    fn send(&mut self, from: usize, link: i32, number: i32, met: &mut Met) {
        let own = self.scripts[from].prim;
        let sender = self.link_number(own);
        for to in 0..self.scripts.len() {
            let prim = self.scripts[to].prim;
            let meant = match link {
                -1 => true,
                -2 => prim != own,
                -3 => prim != 0,
                -4 => prim == own,
                link => {
                    link == self.link_number(prim) || (self.prims == 1 && (link == 0 || link == 1))
                }
            };
            if !meant {
                continue;
            }
            let kind = match link {
                -1 => "LINK_SET",
                -2 => "LINK_ALL_OTHERS",
                -3 => "LINK_ALL_CHILDREN",
                -4 => "LINK_THIS",
                _ => "a number",
            };
            *met.entry(kind).or_default() += 1;
            if to == from {
                *met.entry("own message").or_default() += 1;
            }
            let machine = &mut self.machines[to];
            if machine.gone || (machine.off && self.rng.bool()) {
                *met.entry("message for a halted script").or_default() += 1;
            } else if machine.queue.len() < 64 {
                machine.queue.push_back((2, number, sender));
            }
        }
    }

    /// Whether the script has something to do.
    fn is_busy(&self, script: usize) -> bool {
        let machine = &self.machines[script];
        if machine.is_halted() {
            return false;
        }
        !machine.stack.is_empty() || machine.enters || !machine.queue.is_empty()
    }

    /// What a script does to one of its prim.
    fn order(&mut self, from: usize, act: Act, to: usize, met: &mut Met) {
        if self.scripts[from].prim != self.scripts[to].prim || self.machines[to].gone {
            *met.entry("nobody").or_default() += 1;
            return;
        }
        let goes_on = from == to && self.rng.bool();
        let loses = self.rng.bool();
        let machine = &mut self.machines[to];
        let inside = from != to && !machine.stack.is_empty();
        match act {
            Act::Reset if machine.off && loses => {}
            Act::Reset => {
                let off = machine.off;
                *machine = Machine::fresh(self.fuel);
                machine.off = off;
                *met.entry("reset").or_default() += 1;
                *met.entry("reset inside").or_default() += usize::from(inside);
            }
            Act::Stop => {
                machine.off = true;
                machine.goes_on = goes_on;
                if loses {
                    machine.queue.clear();
                }
                *met.entry("stop").or_default() += 1;
                *met.entry("stop inside").or_default() += usize::from(inside);
            }
            Act::Start => {
                *met.entry("start").or_default() += usize::from(machine.off);
                machine.off = false;
            }
            Act::Remove => {
                machine.gone = true;
                machine.goes_on = goes_on;
                machine.queue.clear();
                *met.entry("remove").or_default() += 1;
            }
        }
    }

    /// One statement of a script, or the beginning of a handler.
    fn step(&mut self, script: usize, met: &mut Met) {
        let machine = &mut self.machines[script];
        machine.goes_on &= !machine.stack.is_empty() && self.rng.u8(0..4) > 0;
        if machine.is_halted() {
            return;
        }
        if self.machines[script].stack.is_empty() {
            let machine = &mut self.machines[script];
            let (event, values) = if machine.enters {
                machine.enters = false;
                (0, (0, 0))
            } else if let Some((event, number, sender)) = machine.queue.pop_front() {
                (event, (number, sender))
            } else {
                return;
            };
            if let Some(body) = &self.scripts[script].states[machine.state][event] {
                machine.stack.push(Frame {
                    body: Rc::clone(body),
                    at: 0,
                    event: values,
                    is_function: false,
                });
            } else if event == 2 {
                *met.entry("unheard message").or_default() += 1;
            }
            return;
        }
        let frame = self.machines[script].stack.last_mut().expect("not empty");
        let event = frame.event;
        let Some(stmt) = frame.body.get(frame.at).cloned() else {
            let ended = self.machines[script].stack.pop().expect("not empty");
            if ended.is_function {
                // It has come to `return y;`.
                self.machines[script].variables[0] = self.machines[script].variables[1];
            }
            return;
        };
        frame.at += 1;
        match stmt {
            Stmt::Set(v, value) => {
                self.machines[script].variables[v] = self.value(script, value, event);
            }
            Stmt::Trace(c) => {
                let t = &mut self.machines[script].variables[TRACE];
                *t = (*t * 5 + c) % 97;
            }
            Stmt::Send(link, value) => {
                if self.machines[script].variables[FUEL] > 0 {
                    self.machines[script].variables[FUEL] -= 1;
                    let link = self.value(script, link, event);
                    let number = self.value(script, value, event);
                    let others = (0..self.scripts.len()).any(|s| s != script && self.is_busy(s));
                    if others {
                        *met.entry("race").or_default() += 1;
                    }
                    self.send(script, link, number, met);
                }
            }
            Stmt::If(value, wanted, then, otherwise) => {
                let is_so = self.value(script, value, event) == wanted;
                self.machines[script].stack.push(Frame {
                    body: if is_so { then } else { otherwise },
                    at: 0,
                    event,
                    is_function: false,
                });
            }
            Stmt::Goto(state) => {
                let machine = &mut self.machines[script];
                machine.stack.clear();
                if machine.state != state {
                    if !machine.queue.is_empty() {
                        *met.entry("lost message").or_default() += 1;
                    }
                    *met.entry("state change").or_default() += 1;
                    machine.queue.clear();
                    machine.state = state;
                    machine.enters = true;
                }
            }
            Stmt::Sleep => *met.entry("sleep").or_default() += 1,
            Stmt::Order(act, target) => {
                if self.machines[script].variables[FUEL] > 0 {
                    self.machines[script].variables[FUEL] -= 1;
                    self.order(script, act, target, met);
                }
            }
            Stmt::Call(value) => {
                *met.entry("call").or_default() += 1;
                let number = self.value(script, value, event);
                self.machines[script].stack.push(Frame {
                    body: Rc::clone(&self.scripts[script].function),
                    at: 0,
                    event: (number, event.1),
                    is_function: true,
                });
            }
            Stmt::Return => {
                let stack = &mut self.machines[script].stack;
                while stack.pop().is_some_and(|frame| !frame.is_function) {}
                self.machines[script].variables[0] = event.0;
            }
        }
    }

    /// What can be seen when everybody is at rest.
    fn seen(&self) -> Option<Vec<i32>> {
        let rests = (0..self.scripts.len()).all(|script| !self.is_busy(script));
        let state = |machine: &Machine| {
            let mut values = machine.variables.to_vec();
            values.push(i32::try_from(machine.state).expect("few"));
            values
        };
        rests.then(|| self.machines.iter().flat_map(state).collect())
    }
}

/// The states in which the simulation has come to rest.
fn simulate(
    scripts: &[Script],
    prims: usize,
    fuel: i32,
    rng: &mut Rng,
    met: &mut Met,
) -> HashSet<Vec<i32>> {
    let mut found = HashSet::new();
    for number in 0..400 {
        let mut run = Run {
            scripts,
            prims,
            machines: scripts.iter().map(|_| Machine::fresh(fuel)).collect(),
            touches: vec![1; scripts.len()],
            fuel,
            rng: Rng::with_seed(number),
        };
        // Some runs are in a hurry, some are not.
        let slow = rng.u32(1..12);
        for _ in 0..300 {
            found.extend(run.seen());
            let script = rng.usize(0..scripts.len());
            if run.touches[script] > 0 && rng.u32(0..slow) == 0 {
                run.touches[script] -= 1;
                run.machines[script].queue.push_back((1, 0, 0));
            } else {
                run.step(script, met);
            }
        }
    }
    found
}

/// The same of the program: all of them, with at most one touch for each script.
fn explore(walk: &Walk<'_>, scripts: &[Script], most: usize) -> Option<HashSet<Vec<i32>>> {
    let mut open: Vec<(State, Vec<usize>)> = walk
        .initial()
        .into_iter()
        .map(|state| (state, vec![1; scripts.len()]))
        .collect();
    let mut known: HashSet<(State, Vec<usize>)> = open.iter().cloned().collect();
    let mut found = HashSet::new();
    let mut busy: HashMap<State, Vec<State>> = HashMap::new();
    while let Some((state, touches)) = open.pop() {
        let own = busy
            .entry(state.clone())
            .or_insert_with(|| walk.step(std::slice::from_ref(&state), |(mover, _, _)| mover > 0));
        if own.is_empty() {
            found.insert(seen(walk, &state, scripts));
        }
        let mut next: Vec<(State, Vec<usize>)> = own
            .iter()
            .map(|next| (next.clone(), touches.clone()))
            .collect();
        for (index, script) in scripts.iter().enumerate() {
            if touches[index] == 0 {
                continue;
            }
            let mut left = touches.clone();
            left[index] -= 1;
            let touched = walk.event(std::slice::from_ref(&state), &script.name, "touch_start");
            next.extend(touched.into_iter().map(|next| (next, left.clone())));
        }
        for next in next {
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(found)
}

fn seen(walk: &Walk<'_>, state: &State, scripts: &[Script]) -> Vec<i32> {
    let mut values = Vec::new();
    for script in scripts {
        for variable in VARIABLES {
            let value = walk.value(state, &format!("{}.{variable}", script.name));
            values.push(value.and_then(|v| v.parse().ok()).expect("an integer"));
        }
        values.push(walk.lsl_state(state, &script.name));
    }
    values
}

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    met: Met,
    cases: usize,
    /// Cases with races.
    raced: usize,
    /// Ends of the program, and those that the simulation has come to.
    all: usize,
    shown: usize,
    sizes: BTreeSet<usize>,
}

/// Compares linksets of random scripts. In some, the first script does something to those of its prim.
fn compare(seeds: usize, orders: bool, most: usize) -> Compared {
    let mut compared = Compared::default();
    let mut rng = Rng::with_seed(7);
    for seed in 0..seeds {
        let prims = if orders {
            1 + seed % 5 / 4
        } else {
            1 + seed % 3
        };
        let mut maker = Maker {
            rng: Rng::with_seed(u64::try_from(seed).expect("small")),
            prims: i32::try_from(prims).expect("small"),
            orders: 0,
        };
        let count = maker.rng.usize(2..=3);
        let fuel = 2;
        let scripts: Vec<Script> = (0..count)
            .map(|number| {
                maker.orders = if orders && number == 0 { count } else { 0 };
                maker.script(number)
            })
            .collect();
        let texts: Vec<(String, String)> = scripts
            .iter()
            .map(|script| (format!("{}.lsl", script.name), text(script, fuel)))
            .collect();
        // Scripts of one prim stand together: their numbers need not be in order.
        let mut toml = String::new();
        for prim in 0..prims {
            let here = scripts.iter().filter(|script| script.prim == prim);
            let names: Vec<String> = here
                .map(|script| format!("\"{}.lsl\"", script.name))
                .collect();
            let _ = writeln!(toml, "[[prim]]\nscripts = [{}]", names.join(", "));
        }
        let program = load(&toml, &texts).unwrap_or_else(|why| panic!("{why}\n{texts:?}"));
        let walk = Walk::new(&program);
        let Some(possible) = explore(&walk, &scripts, most) else {
            continue;
        };
        let simulated = simulate(&scripts, prims, fuel, &mut rng, &mut compared.met);
        let missing: Vec<&Vec<i32>> = simulated.difference(&possible).collect();
        assert!(
            missing.is_empty(),
            "seed {seed}: the program never comes to {missing:?}\n{toml}\n{}",
            texts
                .iter()
                .map(|(name, text)| format!("// {name}\n{text}"))
                .collect::<String>()
        );
        compared.cases += 1;
        compared.raced += usize::from(simulated.len() > 2 * count);
        compared.all += possible.len();
        compared.shown += simulated.len();
        compared.sizes.insert(possible.len());
    }
    compared
}

#[test]
fn whatever_the_simulation_does_the_program_does() {
    let Compared {
        met,
        cases,
        raced,
        all,
        shown,
        sizes,
    } = compare(70, false, 3_000);
    println!("{cases} cases, {raced} with races, {shown} of {all} ends shown, {met:?}");
    assert!(cases >= 40, "{cases} cases are small enough");
    assert!(
        10 * raced >= 3 * cases,
        "only {raced} of {cases} have races"
    );
    assert!(
        10 * shown >= 6 * all,
        "only {shown} of {all} ends are shown"
    );
    assert!(sizes.len() >= 10, "{sizes:?}");
    for what in [
        "LINK_SET",
        "LINK_THIS",
        "LINK_ALL_OTHERS",
        "LINK_ALL_CHILDREN",
        "a number",
        "own message",
        "unheard message",
        "lost message",
        "state change",
        "sleep",
        "call",
        "race",
    ] {
        assert!(
            met.get(what).is_some_and(|&count| count > 50),
            "{what}: {met:?}"
        );
    }
}

#[test]
fn scripts_that_halt_each_other_do_what_the_simulation_does() {
    let compared = compare(120, true, 6_000);
    println!("{compared:?}");
    assert!(compared.cases >= 60, "{} are small enough", compared.cases);
    assert!(compared.sizes.len() >= 10, "{:?}", compared.sizes);
    for what in [
        "message for a halted script",
        "nobody",
        "remove",
        "reset",
        "reset inside",
        "start",
        "stop",
        "stop inside",
    ] {
        assert!(
            compared.met.get(what).is_some_and(|&count| count > 50),
            "{what}: {:?}",
            compared.met
        );
    }
}
