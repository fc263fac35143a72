//! Circuits of processes that take turns against the reference interpreter.

use std::collections::{BTreeMap, BTreeSet};

use model::interp::{Interp, State, Violation};
use model::{Budget, Claim, Program};

use super::*;
use crate::circuit::Reset;
use crate::run::Run;

/// Stable states with the stable states that follow, and what goes wrong on the way.
type Graph = BTreeMap<State, (BTreeSet<State>, BTreeSet<String>)>;

fn promela(text: &str) -> Program {
    let loaded = promela::load("m.pml", text, &promela::Options::default());
    let failure = || panic!("{:?}\n{text}", loaded.diagnostics);
    loaded.program.unwrap_or_else(failure)
}

fn wrong(program: &Program, violation: Violation) -> Vec<String> {
    let concerns = |claim: &Claim| match (claim, violation) {
        (Claim::Check(check), Violation::Check(failed)) => *check == failed,
        (Claim::NoFault(faults), Violation::Fault(fault)) => faults.contains(&fault),
        _ => false,
    };
    let properties = program.properties.iter();
    properties
        .filter(|property| concerns(&property.claim))
        .map(|property| property.name.clone())
        .collect()
}

fn interpreted(program: &Program) -> Graph {
    let interp = Interp::new(program);
    let initial = interp.initial().expect("no overflow");
    let mut open: Vec<State> = initial
        .iter()
        .map(|(_, state)| interp.stored(state))
        .collect();
    let mut graph = Graph::new();
    while let Some(state) = open.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        let found = interp.expand(&state).expect("no overflow");
        let next: BTreeSet<State> = found
            .successors
            .iter()
            .map(|s| interp.stored(&s.state))
            .collect();
        let violations = found.violations.iter();
        let names = violations
            .flat_map(|(violation, _)| wrong(program, *violation))
            .collect();
        open.extend(next.iter().cloned());
        graph.insert(state, (next, names));
    }
    graph
}

fn rows(width: usize) -> impl Iterator<Item = Vec<bool>> {
    assert!(width <= 14, "{width} inputs are too many to try all");
    (0u32..1 << width).map(move |code| (0..width).map(|bit| code >> bit & 1 == 1).collect())
}

fn encoded(encoding: &Encoding<'_>) -> Graph {
    let interp = Interp::new(encoding.program());
    let circuit = &encoding.circuit;
    let inputs: Vec<Vec<bool>> = rows(circuit.inputs.len()).collect();
    let free: Vec<usize> = (0..circuit.latches.len())
        .filter(|&latch| circuit.latches[latch].reset == Reset::Free)
        .collect();
    let mut open: Vec<Vec<bool>> = rows(free.len())
        .map(|row| {
            let mut latches = circuit.reset_state();
            free.iter()
                .zip(row)
                .for_each(|(&latch, bit)| latches[latch] = bit);
            latches
        })
        .filter(|latches| circuit.evaluate(latches, &[]).is_initial())
        .collect();
    let mut graph = Graph::new();
    let mut seen = BTreeSet::new();
    while let Some(from) = open.pop() {
        assert!(circuit.evaluate(&from, &[]).holds(encoding.stable));
        let entry = graph
            .entry(interp.stored(&encoding.state(&from, &[])))
            .or_default();
        if !seen.insert(from.clone()) {
            continue;
        }
        let mut inner = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(latches) = waiting.pop() {
            if !inner.insert(latches.clone()) {
                continue;
            }
            for lit in &circuit.invariants {
                assert!(circuit.evaluate(&latches, &[]).holds(*lit));
            }
            for row in &inputs {
                let values = circuit.evaluate(&latches, row);
                for (bad, id) in circuit.bads.iter().zip(&encoding.bads) {
                    let claim = &encoding.program().properties[id.index()].claim;
                    if matches!(claim, Claim::Check(_) | Claim::NoFault(_)) && values.holds(bad.lit)
                    {
                        entry.1.insert(bad.name.clone());
                    }
                }
                let run = Run {
                    initial: latches.clone(),
                    steps: vec![row.clone()],
                    ..Run::default()
                };
                if !values.is_step() || encoding.trace(&run).steps.is_empty() {
                    continue;
                }
                let next = values.next_state();
                let after = circuit.evaluate(&next, &[]);
                if after.holds(encoding.stable) {
                    entry.0.insert(interp.stored(&encoding.state(&next, &[])));
                    open.push(next);
                } else {
                    waiting.push(next);
                }
            }
        }
    }
    graph
}

fn agree(program: &Program, what: &str) {
    let theirs = interpreted(program);
    assert!(theirs.len() > 3, "too little happens in\n{what}");
    for encoding in [
        encode(program),
        encode_whole_steps(program, &Budget::default()),
    ] {
        let encoding = encoding.unwrap_or_else(|error| panic!("{error}\n{what}"));
        agrees(&encoding, &theirs, what);
        walk(program, &encoding);
    }
}

/// Runs of the circuit at random replay, and end in the state that the circuit says.
fn walk(program: &Program, encoding: &Encoding<'_>) {
    let circuit = &encoding.circuit;
    let interp = Interp::new(program);
    let mut seed = 5u64;
    for _ in 0..20 {
        let mut run = Run {
            initial: circuit.reset_state(),
            ..Run::default()
        };
        if !circuit.evaluate(&run.initial, &[]).is_initial() {
            return;
        }
        let mut latches = run.initial.clone();
        let mut rests = latches.clone();
        let mut length = 0;
        for _ in 0..200 {
            let row: Vec<bool> = (0..circuit.inputs.len())
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    seed >> 63 == 1
                })
                .collect();
            let values = circuit.evaluate(&latches, &row);
            if values.is_step() {
                latches = values.next_state();
                run.steps.push(row);
                if circuit.evaluate(&latches, &[]).holds(encoding.stable) {
                    rests.clone_from(&latches);
                    length = run.steps.len();
                }
            }
        }
        run.steps.truncate(length);
        let replay = interp.replay(&encoding.trace(&run)).expect("it is a run");
        let last = replay
            .steps
            .last()
            .map_or(&replay.initial, |step| &step.state);
        assert_eq!(
            interp.stored(last),
            interp.stored(&encoding.state(&rests, &[]))
        );
    }
}

fn agrees(encoding: &Encoding<'_>, theirs: &Graph, what: &str) {
    let ours = encoded(encoding);
    assert_eq!(ours.len(), theirs.len(), "states of\n{what}");
    for ((state, ours), (other, theirs)) in ours.iter().zip(theirs) {
        assert_eq!(state, other, "states of\n{what}");
        assert_eq!(ours, theirs, "what follows {state:?} in\n{what}");
    }
}

fn agree_promela(text: &str) {
    agree(&promela(text), text);
}

/// A circuit can become so large that whoever waits for it would wait for minutes.
#[test]
fn encoding_heeds_the_budget() {
    let program = promela::load(
        "p.pml",
        "active proctype p() { byte x; do :: x++ :: x-- od }",
        &promela::Options::default(),
    )
    .program
    .expect("it is read");
    let stopped = Budget::default();
    stopped
        .stop
        .store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(encode_whole_steps(&program, &Budget::default()).is_ok());
    assert!(encode_whole_steps(&program, &stopped).is_err());
}

#[test]
fn processes_interleave_and_stop() {
    agree_promela(
        "byte x; bool b;
         active proctype p() { do :: x < 3 -> x++ :: x == 3 -> break od; b = true }
         active [2] proctype q() { (b); assert(x == 2); x = _pid }",
    );
}

#[test]
fn else_waits_for_its_siblings() {
    agree_promela(
        "byte x = 2; int n;
         active proctype p() {
           do
           :: x > 0 && n < 3 -> x--; n = n * 2 + 1
           :: x == 1 -> x = 0
           :: else -> if :: n > 3 -> break :: else -> x = 2; n = 5 fi
           od
         }
         active proctype q() { timeout -> n = -1 }",
    );
}

#[test]
fn a_higher_class_goes_first() {
    let mut program = promela(
        "byte x; byte y; active proctype P() { do :: x < 2 -> x = x + 1 :: y == 1 -> x = 0; y = 2 od }
         active proctype Q() { y = 1; y == 2; y = 3 }",
    );
    for step in &mut program.processes[0].steps {
        step.class = 2;
    }
    agree(&program, "classes");
}

#[test]
fn messages_are_kept_and_met() {
    agree_promela(
        "mtype = { a, b };
         chan c = [2] of { mtype, byte }; chan r = [0] of { byte };
         active proctype p() { c!a(1); c!b(2); c!a(3); r!7 }
         active proctype q() {
           byte x; mtype m;
           c?m,x; if :: c??[b,x] -> c??b,x :: c?a,x fi; r?x; assert(x == 6)
         }",
    );
    agree_promela(
        "chan c = [3] of { byte };
         active proctype p() { c!!3; c!!1; c!!2; c!!1 }
         active proctype q() { byte x; do :: c?x :: len(c) == 2 -> break :: nfull(c) && x == 1 -> skip; x = 9 od }",
    );
}

#[test]
fn atomic_regions_and_steps_go_on_alone() {
    agree_promela(
        "byte x, y; chan r = [0] of { bit };
         active proctype p() { atomic { x = 1; y = 1; (x == 2); x = 3; r!1; y = 4 } }
         active proctype q() { d_step { x = 2; y = 2; if :: y == 2 -> x++ :: else fi }; x = 2 }
         active proctype s() { bit b; atomic { r?b; x = 5; y = 5 } }",
    );
}

#[test]
fn unless_and_provided_take_precedence() {
    agree_promela(
        "byte x; bool go;
         active proctype p() { { do :: x < 4 -> x++ od } unless { go -> x = 9 } }
         active proctype q() provided (x != 2) { go = true; go = false; x = 1 }",
    );
}

#[test]
fn indices_and_divisors_fault() {
    agree_promela(
        "byte a[3]; byte i = 1;
         active proctype p() { do :: i < 3 -> a[i] = i; i++ :: a[i - 1] == 2 -> break od; a[i] = 4 / (i - 3) }",
    );
}

#[test]
fn scripts_pay_and_are_paid() {
    for (text, bounds) in [
        (
            "integer total;
             default {
               money(key id, integer amount) {
                 total += amount;
                 if (total > 3) { llGiveMoney(id, amount); total -= amount; }
               }
             }
             //@ property bounded: always total <= 4;",
            vec![("amount", "0..2")],
        ),
        (
            "integer count;
             integer twice(integer n) { integer m = n * 2; return m; }
             default {
               touch_start(integer n) { count = twice(count + 1); if (count > 9) state other; }
             }
             state other {
               state_entry() { count = 0; }
               touch_start(integer n) { state default; }
             }
             //@ property small: never count == 2;",
            vec![],
        ),
        (
            "integer paid; integer rounds;
             give(key who, integer n) { if (n > 0) { llGiveMoney(who, n); paid = paid - n; } }
             default {
               state_entry() { rounds = rounds + 1; if (rounds > 2) rounds = 0; }
               money(key id, integer amount) {
                 integer i;
                 paid = paid + amount;
                 for (i = 0; i < amount; ++i) { if (paid > 2) give(id, 1); }
                 if (paid / (rounds - 1) > 3) { give(id, paid); state other; }
                 if (rounds == 2) give(id, paid); else paid = 0;
               }
             }
             state other { touch_start(integer n) { state default; } }
             //@ property low: always paid < 2;
             //@ property gives: when call llGiveMoney(who, n) require n < 2;",
            vec![("amount", "0..2"), ("lost-payments", "0..1")],
        ),
    ] {
        let options = lsl::Options {
            bounds: bounds
                .into_iter()
                .map(|(name, value): (&str, &str)| (name.to_owned(), value.to_owned()))
                .collect(),
            ..lsl::Options::default()
        };
        let loaded = lsl::load("m.lsl", text, &options);
        let program = loaded
            .program
            .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let all: Vec<PropertyId> = (0..program.properties.len()).map(PropertyId::new).collect();
        let reduced = passes::pipeline(&program, &all, &passes::Selection::all());
        agree(&reduced.program, text);
    }
}

#[test]
fn what_runs_into_a_failure_replays() {
    let program = promela(
        "byte x; chan c = [1] of { byte };
         active proctype p() { byte k; do :: x < 5 -> x++ :: c!x od }
         active proctype q() { byte y; atomic { c?y; y = y * 2; assert(y < 9) } }",
    );
    let encoding = encode(&program).expect("it has an encoding");
    let circuit = &encoding.circuit;
    let bad = circuit.bads.iter().position(|bad| bad.lit != Lit::FALSE);
    let bad = bad.expect("the assertion may fail");
    let inputs: Vec<Vec<bool>> = rows(circuit.inputs.len()).collect();
    // Breadth first, each state with the run that leads there.
    let mut runs = vec![Run {
        initial: circuit.reset_state(),
        ..Run::default()
    }];
    let mut seen = BTreeSet::new();
    let mut next_run = 0;
    let found = loop {
        let run = runs[next_run].clone();
        next_run += 1;
        let states = circuit.states(&run).expect("it is a run");
        let last = states.last().expect("the first state").clone();
        if !seen.insert(last.clone()) {
            continue;
        }
        let failing = inputs
            .iter()
            .find(|row| circuit.evaluate(&last, row).holds(circuit.bads[bad].lit));
        if let Some(row) = failing {
            break Run {
                last: row.clone(),
                ..run
            };
        }
        for row in &inputs {
            if circuit.evaluate(&last, row).is_step() {
                let mut longer = run.clone();
                longer.steps.push(row.clone());
                runs.push(longer);
            }
        }
    };
    let trace = encoding.trace_to(&found, Some(bad));
    let replay = Interp::new(&program).replay(&trace).expect("it is a run");
    let last = replay.steps.last().expect("a step fails");
    assert!(last.occurrences.iter().any(|o| o.violation().is_some()));
}

/// A small generator of random numbers (splitmix64).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.u64(..limit)
    }

    fn of(&mut self, all: &[&str]) -> String {
        all[usize::try_from(self.below(all.len() as u64)).expect("small")].to_owned()
    }

    fn condition(&mut self) -> String {
        self.of(&[
            "x == 1",
            "x > l",
            "b",
            "!b",
            "len(c) == 1",
            "l == 2 || b",
            "x + l == 3",
            "a[l] == x",
            "empty(c)",
            "timeout",
            "c?[1]",
        ])
    }

    fn simple(&mut self) -> String {
        self.of(&[
            "x = (x + 1) % 3",
            "b = !b",
            "l = x",
            "x = a[l % 2]",
            "a[x % 2] = l",
            "l = (l + 2) % 3",
            "c!l",
            "c?l",
            "c?1",
            "r!x",
            "r?l",
            "assert(x != 2 || b)",
            "skip",
            "a[l] = 1",
            "x = 2 / l",
            "(x == l)",
            "b = (x == 1)",
            "c??2",
        ])
    }

    /// Statements; what may block is left out of a `d_step` except at its beginning.
    fn block(&mut self, depth: u32) -> String {
        let count = 1 + self.below(3);
        let all: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        all.join("; ")
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.simple();
        }
        match self.below(9) {
            0 => format!("atomic {{ {} }}", self.block(depth - 1)),
            1 => {
                let (p, a, b) = (self.condition(), self.of(CALM), self.of(CALM));
                format!("d_step {{ {p}; {a}; {b} }}")
            }
            2 | 3 => {
                let (p, a, b) = (
                    self.condition(),
                    self.block(depth - 1),
                    self.block(depth - 1),
                );
                let guard = match self.below(2) {
                    0 => "else".to_owned(),
                    _ => self.condition(),
                };
                format!("if :: {p} -> {a} :: {guard} -> {b} fi")
            }
            4 => {
                let (p, a) = (self.condition(), self.block(depth - 1));
                format!("do :: {p} -> {a} :: else -> break od")
            }
            5 => {
                let (a, p) = (self.block(depth - 1), self.condition());
                format!("{{ {a} }} unless {{ {p} }}")
            }
            _ => self.simple(),
        }
    }

    fn model(&mut self) -> String {
        let mut text =
            "byte x; bool b; byte a[2]; chan c = [1] of { byte }; chan r = [0] of { byte };\n"
                .to_owned();
        for name in ["p", "q"] {
            let body = self.block(2);
            text.push_str(&format!("active proctype {name}() {{ byte l; {body} }}\n"));
        }
        text
    }
}

/// Statements that neither block nor fault.
const CALM: &[&str] = &[
    "x = (x + 1) % 3",
    "b = !b",
    "l = x",
    "l = (l + 2) % 3",
    "a[0] = l",
];

#[test]
fn random_models_take_the_same_turns() {
    let mut tried = 0;
    for seed in 0..30 {
        let text = Random(fastrand::Rng::with_seed(seed)).model();
        let loaded = promela::load("m.pml", &text, &promela::Options::default());
        let Some(program) = loaded.program else {
            continue;
        };
        for encoding in [
            encode(&program),
            encode_whole_steps(&program, &Budget::default()),
        ] {
            match encoding {
                Ok(encoding) => {
                    agrees(&encoding, &interpreted(&program), &text);
                    walk(&program, &encoding);
                    tried += 1;
                }
                Err(error) => panic!("seed {seed}: {error}\n{text}"),
            }
        }
    }
    assert!(tried > 30, "{tried} of 60 are models");
}
