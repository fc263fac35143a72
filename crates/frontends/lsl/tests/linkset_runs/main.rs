//! Random scripts that send each other messages, run twice: as a program, in all orders, and by a small
//! simulation that shares nothing with the front end. It interleaves scripts at every statement, puts
//! all events into queues of 64, and drops what the state does not handle when its turn comes.
//!
//! Wherever the simulation comes to rest, the program has to be able to come to rest, too.

#![expect(clippy::print_stdout, reason = "prints what was met")]

#[path = "../linkset/mod.rs"]
mod linkset;
mod scripts;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::rc::Rc;

use fastrand::Rng;
use linkset::{Walk, load};
use model::interp::State;
use scripts::{Act, Body, FUEL, Maker, Script, Stmt, TRACE, VARIABLES, Value, text};

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
    start: i32,
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
            Value::Start => self.machines[script].start,
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

    /// A script is loaded into another prim, or not.
    fn load(&mut self, from: usize, to: usize, running: bool, parameter: i32, met: &mut Met) {
        if self.scripts[from].prim == self.scripts[to].prim {
            *met.entry("own prim").or_default() += 1;
            return;
        }
        if self.rng.u8(0..3) == 0 {
            *met.entry("not permitted").or_default() += 1;
            return;
        }
        let machine = &mut self.machines[to];
        let what = match (machine.gone, machine.stack.is_empty()) {
            (true, _) => "brought",
            (false, true) => "replaced",
            (false, false) => "replaced inside",
        };
        *met.entry(what).or_default() += 1;
        *met.entry("loaded to wait").or_default() += usize::from(!running);
        *machine = Machine::fresh(self.fuel);
        machine.off = !running;
        machine.start = parameter;
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
            Stmt::Load(target, _, running, value) => {
                if self.machines[script].variables[FUEL] > 0 {
                    self.machines[script].variables[FUEL] -= 1;
                    let parameter = self.value(script, value, event);
                    self.load(script, target, running, parameter, met);
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
            machines: scripts
                .iter()
                .map(|script| Machine {
                    gone: !script.is_there,
                    ..Machine::fresh(fuel)
                })
                .collect(),
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

/// Scripts of which each loads some of those behind it.
fn loading_each_other(maker: &mut Maker, count: usize) -> Vec<Script> {
    let prims: Vec<usize> = (0..count).map(|number| maker.prim(number)).collect();
    let link = |number: usize| i32::try_from(prims[number]).expect("few") + 1;
    let mut scripts = Vec::new();
    for (number, &prim) in prims.iter().enumerate() {
        maker.orders = if number == 0 { count } else { 0 };
        maker.loads = (number + 1..count)
            .map(|other| (other, link(other)))
            .collect();
        // One that is there at first has a start parameter of which nothing is known.
        let is_there = number == 0 || maker.rng.bool();
        maker.is_loaded = !is_there;
        let mut script = maker.script(number, prim);
        script.is_there = is_there;
        script.is_loaded = number > 0;
        scripts.push(script);
    }
    scripts
}

/// What random scripts do to each other, besides sending messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// The first one resets, stops and removes those of its prim.
    Halts,
    /// Each loads some of those behind it, and the first one does the other things, too.
    Loads,
}

/// Compares linksets of random scripts.
fn compare(seeds: usize, kind: Kind, most: usize) -> Compared {
    let mut compared = Compared::default();
    let mut rng = Rng::with_seed(7);
    for seed in 0..seeds {
        let prims = match kind {
            Kind::Nothing => 1 + seed % 3,
            Kind::Halts => 1 + seed % 5 / 4,
            Kind::Loads => 2,
        };
        let mut maker = Maker {
            rng: Rng::with_seed(u64::try_from(seed).expect("small")),
            prims: i32::try_from(prims).expect("small"),
            orders: 0,
            loads: Vec::new(),
            is_loaded: false,
        };
        let count = maker.rng.usize(2..=3);
        let fuel = 2;
        let scripts = match kind {
            Kind::Loads => loading_each_other(&mut maker, count),
            _ => (0..count)
                .map(|number| {
                    maker.orders = if kind == Kind::Halts && number == 0 {
                        count
                    } else {
                        0
                    };
                    let prim = maker.prim(number);
                    maker.script(number, prim)
                })
                .collect(),
        };
        let texts: Vec<(String, String)> = scripts
            .iter()
            .map(|script| (format!("{}.lsl", script.name), text(script, fuel)))
            .collect();
        // Scripts of one prim stand together: their numbers need not be in order.
        let mut toml = String::new();
        for prim in 0..prims {
            let names = |wanted: fn(&Script) -> bool| {
                let here = scripts.iter().filter(|script| script.prim == prim);
                let names = here.filter(|script| wanted(script));
                let names = names.map(|script| format!("\"{}.lsl\"", script.name));
                names.collect::<Vec<String>>().join(", ")
            };
            let there = names(|script| script.is_there);
            let _ = writeln!(toml, "[[prim]]\nscripts = [{there}]");
            if kind == Kind::Loads {
                let loaded = names(|script| script.is_loaded);
                let _ = writeln!(toml, "loaded = [{loaded}]");
            }
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
    } = compare(70, Kind::Nothing, 3_000);
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
    let compared = compare(120, Kind::Halts, 6_000);
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

#[test]
fn scripts_that_load_each_other_do_what_the_simulation_does() {
    let compared = compare(120, Kind::Loads, 6_000);
    println!("{compared:?}");
    assert!(compared.cases >= 60, "{} are small enough", compared.cases);
    assert!(compared.sizes.len() >= 10, "{:?}", compared.sizes);
    for what in [
        "brought",
        "loaded to wait",
        "not permitted",
        "own prim",
        "remove",
        "replaced",
        "replaced inside",
    ] {
        assert!(
            compared.met.get(what).is_some_and(|&count| count > 50),
            "{what}: {:?}",
            compared.met
        );
    }
}
