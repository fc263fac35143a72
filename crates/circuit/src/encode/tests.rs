//! Circuits against the reference interpreter: the same states, and the same steps between them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use model::Program;
use model::interp::{Interp, State};

use super::*;
use crate::run::Run;

type Graph = BTreeMap<State, BTreeSet<State>>;

fn program(text: &str) -> Program {
    let loaded = smv::load("m.smv", text, &smv::Options::default());
    let failure = || panic!("{:?}\n{text}", loaded.diagnostics);
    loaded.program.unwrap_or_else(failure)
}

/// What the interpreter reaches: initial states, and all states with their successors.
fn interpreted(program: &Program) -> (BTreeSet<State>, Graph) {
    let interp = Interp::new(program);
    let initial: BTreeSet<State> = interp
        .initial()
        .expect("no overflow")
        .into_iter()
        .map(|(_, state)| state)
        .collect();
    let mut graph = Graph::new();
    let mut open: Vec<State> = initial.iter().cloned().collect();
    while let Some(state) = open.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        let found = interp.expand(&state).expect("no overflow").successors;
        let next: BTreeSet<State> = found.into_iter().map(|s| s.state).collect();
        open.extend(next.iter().cloned());
        graph.insert(state, next);
    }
    (initial, graph)
}

fn rows(width: usize) -> impl Iterator<Item = Vec<bool>> {
    assert!(width <= 16, "{width} inputs are too many to try all");
    (0u32..1 << width).map(move |code| (0..width).map(|bit| code >> bit & 1 == 1).collect())
}

/// The same, as the circuit has it.
fn encoded(encoding: &Encoding<'_>) -> (BTreeSet<State>, Graph) {
    let circuit = &encoding.circuit;
    let inputs: Vec<Vec<bool>> = rows(circuit.inputs.len()).collect();
    let faces = |latches: &Vec<bool>| -> BTreeSet<State> {
        let all = inputs.iter().map(|row| encoding.state(latches, row));
        all.collect()
    };
    let mut open: Vec<Vec<bool>> = rows(circuit.latches.len())
        .filter(|latches| circuit.evaluate(latches, &[]).is_initial())
        .collect();
    let initial = open.iter().flat_map(faces).collect();
    let mut graph = Graph::new();
    let mut seen = BTreeSet::new();
    while let Some(latches) = open.pop() {
        if !seen.insert(latches.clone()) {
            continue;
        }
        for lit in &circuit.invariants {
            assert!(circuit.evaluate(&latches, &[]).holds(*lit));
        }
        for row in &inputs {
            let values = circuit.evaluate(&latches, row);
            let next = values.next_state();
            let steps = graph.entry(encoding.state(&latches, row)).or_default();
            if values.is_step() && circuit.evaluate(&next, &[]).is_state() {
                steps.extend(faces(&next));
                open.push(next);
            }
        }
    }
    (initial, graph)
}

/// Expects the same graph, and the same truth of every invariant in every state.
fn agree(text: &str) {
    agree_on(&program(text), text);
}

fn agree_on(program: &Program, text: &str) {
    let encoding = encode(program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (ours, theirs) = (encoded(&encoding), interpreted(program));
    assert_eq!(ours.0, theirs.0, "initial states of\n{text}");
    assert_eq!(ours.1, theirs.1, "steps of\n{text}");
}

#[test]
fn ranges_symbols_words_and_arrays_move_as_they_should() {
    agree(
        "MODULE main
         VAR n : -2..3; c : {red, green, blue}; w : unsigned word[3]; a : array 0..2 of boolean;
         ASSIGN
           init(n) := 0;
           next(n) := case n < 3 : {n + 1, n}; TRUE : -2; esac;
           init(c) := {red, blue};
           next(c) := c = red ? green : {red, green, blue};
           init(w) := 0ud3_5;
           next(w) := n = 2 ? w * 0ud3_3 : w + 0ud3_1;
           init(a[0]) := TRUE; init(a[1]) := FALSE; init(a[2]) := a[0];
           next(a[0]) := a[2]; next(a[1]) := a[0]; next(a[2]) := a[1];",
    );
}

/// SMV's static rules refuse such a model, but other programs are made too.
#[test]
fn a_value_that_its_variable_cannot_hold_is_no_next_value() {
    let text = "MODULE main
         VAR n : 0..3; m : 0..3;
         ASSIGN init(n) := 0; init(m) := 3;
           next(n) := n = 3 ? 0 : n + 1;
           next(m) := {m, 3 - n};";
    let mut program = program(text);
    program.globals[0].ty = model::Type::Range { lo: 0, hi: 2 };
    program.globals[1].ty = model::Type::Range { lo: 2, hi: 3 };
    agree_on(&program, text);
    let (_, graph) = interpreted(&program);
    assert!(
        graph.values().any(BTreeSet::is_empty),
        "no step leaves a type"
    );
}

#[test]
fn constraints_say_which_states_and_steps_there_are() {
    agree(
        "MODULE main
         VAR x : 0..5; y : 0..5; b : boolean;
         FROZENVAR k : 1..2;
         INIT x = 0 & y < 2;
         INVAR x + y <= 7;
         TRANS next(x) = x + k | next(x) = 0;
         TRANS b -> next(y) != y;
         TRANS next(b) = (x > y);",
    );
    // A state without a step.
    agree(
        "MODULE main
         VAR x : 0..3;
         ASSIGN init(x) := 0;
         TRANS next(x) = x + 1;",
    );
}

#[test]
fn inputs_belong_to_steps() {
    agree(
        "MODULE main
         IVAR i : {go, stay, back};
         VAR x : 0..4;
         ASSIGN init(x) := 2;
           next(x) := case i = go & x < 4 : x + 1; i = back & x > 0 : x - 1; TRUE : x; esac;
         TRANS i = stay -> x != 4;",
    );
}

#[test]
fn processes_take_turns() {
    agree(
        "MODULE main
         VAR turn : boolean; a : process user(turn, FALSE); b : process user(turn, TRUE);
         ASSIGN init(turn) := FALSE;
         MODULE user(turn, me)
         VAR s : {idle, busy};
         ASSIGN init(s) := idle;
           next(s) := case s = idle & turn = me : {idle, busy}; TRUE : idle; esac;
           next(turn) := s = busy ? !turn : turn;
         FAIRNESS running",
    );
}

#[test]
fn a_run_of_the_circuit_replays() {
    let text = "MODULE main
        IVAR up : boolean;
        VAR n : 0..9; m : {a, b, c};
        ASSIGN init(n) := {2, 3}; next(n) := up & n < 9 ? n + 1 : {n, 0};
          init(m) := a; next(m) := n = 4 ? {b, c} : m;
        INVARSPEC !(m = c & n = 0)";
    let program = program(text);
    let encoding = encode(&program).expect("it has an encoding");
    let circuit = &encoding.circuit;
    assert_eq!(encoding.bads.len(), 1);
    let mut seed = 1u64;
    let mut longest = 0;
    for _ in 0..400 {
        let start = rows(circuit.latches.len())
            .filter(|latches| circuit.evaluate(latches, &[]).is_initial())
            .nth((seed >> 60) as usize % 2);
        let mut run = Run {
            initial: start.expect("two initial states"),
            ..Run::default()
        };
        for _ in 0..12 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(7);
            let row = (0..circuit.inputs.len()).map(|bit| seed >> (40 + bit) & 1 == 1);
            run.steps.push(row.collect());
        }
        let states = circuit.states(&run).expect("every step is possible");
        let hit = states
            .iter()
            .position(|state| circuit.evaluate(state, &[]).holds(circuit.bads[0].lit));
        if let Some(at) = hit {
            run.steps.truncate(at);
            longest = longest.max(at);
        }
        let trace = encoding.trace(&run);
        let replay = Interp::new(&program).replay(&trace).expect("it is a run");
        for (position, latches) in states.iter().take(run.steps.len() + 1).enumerate() {
            let inputs = run.steps.get(position).unwrap_or(&run.last);
            assert_eq!(*replay.state(position), encoding.state(latches, inputs));
        }
    }
    assert!(longest > 3, "no run shows the bad state");
}

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len() as u64)).expect("small")]
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self
                .of(&[
                    "b",
                    "n = 2",
                    "n < m",
                    "n + m > 2",
                    "c = r",
                    "c in {g, o}",
                    "w < 0sd4_2",
                    "m * n = 2",
                    "n mod 2 = 1",
                    "toint(w) = m",
                    "w[1:1] = 0ub1_1",
                ])
                .to_owned();
        }
        let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
        match self.below(4) {
            0 => format!("!({a})"),
            1 => format!("({a} & {b})"),
            2 => format!("({a} | {b})"),
            _ => format!("({a} xor {b})"),
        }
    }

    fn simple(&mut self, variable: &str) -> &'static str {
        match variable {
            "b" => self.of(&["TRUE", "b", "!b", "{TRUE, FALSE}", "i", "i xor b"]),
            "n" => self.of(&[
                "n",
                "(n + m + 2) mod 4",
                "{0, 2}",
                "1..3",
                "3 - n",
                "n union 3",
            ]),
            "m" => self.of(&["m", "-m - 1 < -2 ? -1 : -m", "{-2, 1}", "-1..0", "n - 2"]),
            "w" => self.of(&[
                "w",
                "w + 0sd4_3",
                "w * w",
                "w << 1",
                "w >> 1",
                "-w",
                "w xor 0sd4_5",
                "w / 0sd4_3",
                "w mod -0sd4_3",
            ]),
            _ => self.of(&["c", "r", "{r, g}", "c union o"]),
        }
    }

    fn value(&mut self, variable: &str) -> String {
        match self.below(3) {
            0 => self.simple(variable).to_owned(),
            1 => format!(
                "{} ? ({}) : ({})",
                self.condition(1),
                self.simple(variable),
                self.simple(variable)
            ),
            _ => format!(
                "case {} : {}; {} : {}; TRUE : {}; esac",
                self.condition(1),
                self.simple(variable),
                self.condition(2),
                self.simple(variable),
                self.simple(variable)
            ),
        }
    }

    fn model(&mut self) -> String {
        let mut text = "MODULE main\nIVAR i : boolean;\nVAR b : boolean; n : 0..3; m : -2..1; c : {r, g, o}; w : signed word[4];\n".to_owned();
        for (variable, first) in [
            ("b", "FALSE"),
            ("n", "{0, 3}"),
            ("m", "n = 0 ? 1 : {0, -2}"),
            ("c", "{r, o}"),
            ("w", "0sd4_5"),
        ] {
            if variable == "w" || self.below(4) > 0 {
                writeln!(text, "ASSIGN init({variable}) := {first};").expect("text");
            }
            if variable == "w" || self.below(5) > 0 {
                let value = self.value(variable);
                writeln!(text, "ASSIGN next({variable}) := {value};").expect("text");
            }
        }
        if self.below(3) == 0 {
            let (p, q) = (self.condition(1), self.condition(1));
            writeln!(text, "TRANS {p} | i -> next({q});").expect("text");
        }
        if self.below(3) == 0 {
            let (p, q) = (self.condition(0), self.condition(0));
            writeln!(text, "INVAR {p} | {q};").expect("text");
        }
        text
    }
}

#[test]
fn random_models_move_as_they_should() {
    let mut tried = 0;
    for seed in 0..24 {
        let text = Random(fastrand::Rng::with_seed(seed)).model();
        let loaded = smv::load("m.smv", &text, &smv::Options::default());
        // Some leave a type; the front end says so.
        if loaded.program.is_some() {
            agree(&text);
            tried += 1;
        }
    }
    assert!(tried > 12, "{tried} of 24 are models");
}
