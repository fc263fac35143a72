//! Calls within handlers that run within calls, played out to any depth: what [`super::engine`] leaves out where it
//! says that nothing is lost, compared with what is there on random graphs.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use source::{Diagnostics, SourceMap};

use super::{Effect, MachineId, Moment, Net, NoteKind, Rule, Test};
use crate::load::{Options, read};

type State = Vec<u16>;

/// Plays waves of a net whose lines do not go round.
struct Play<'n> {
    net: &'n Net,
    engine: MachineId,
    /// How deep within calls handlers run.
    deepest: usize,
    /// What calls have been found to do, by state and depth.
    calls: RefCell<HashMap<(State, usize), BTreeSet<State>>>,
}

impl Play<'_> {
    fn holds(test: &Test, state: &State) -> bool {
        match test {
            Test::Always => true,
            Test::Never => false,
            Test::Is(var, at) => state[var.index()] == *at,
            Test::Not(inner) => !Self::holds(inner, state),
            Test::All(tests) => tests.iter().all(|test| Self::holds(test, state)),
            Test::Any(tests) => tests.iter().any(|test| Self::holds(test, state)),
        }
    }

    fn effect(
        &self,
        id: MachineId,
        effect: &Effect,
        state: &State,
        depth: usize,
    ) -> BTreeSet<State> {
        let mut next = state.clone();
        for (var, update) in &effect.sets {
            let cases = update.as_ref().unwrap();
            let case = cases.iter().find(|(test, _)| Self::holds(test, state));
            next[var.index()] = case.unwrap().1;
        }
        let mut states = BTreeSet::from([next]);
        for &out in &effect.outs {
            for &(target, at) in &self.net.machine(id).outputs[usize::from(out)].targets {
                let after = |state: &State| match target == self.engine {
                    true => self.call(state, depth),
                    false => {
                        let rules = &self.net.machine(target).inputs[usize::from(at)].rules;
                        self.rules(target, rules.iter(), state, depth)
                    }
                };
                states = states.iter().flat_map(after).collect();
            }
        }
        states
    }

    fn rules<'a>(
        &self,
        id: MachineId,
        rules: impl Iterator<Item = &'a Rule>,
        state: &State,
        depth: usize,
    ) -> BTreeSet<State> {
        let applies = rules.filter(|rule| Self::holds(&rule.guard, state));
        let effects = applies.flat_map(|rule| &rule.effects);
        let states: BTreeSet<State> = effects
            .flat_map(|effect| self.effect(id, effect, state, depth))
            .collect();
        match states.is_empty() {
            true => BTreeSet::from([state.clone()]),
            false => states,
        }
    }

    /// Each event as a wave: where it may come to rest.
    fn events(&self, state: &State, depth: usize) -> Vec<BTreeSet<State>> {
        let mut waves = Vec::new();
        for (id, machine) in self.net.ids() {
            let events = machine.own.iter();
            let events = events.filter(|(moment, _)| *moment == Moment::Event);
            let rules: Vec<&Rule> = events.map(|(_, rule)| rule).collect();
            if !rules.is_empty() {
                waves.push(self.rules(id, rules.into_iter(), state, depth));
            }
        }
        waves
    }

    /// Within a call handlers run, any number of them.
    fn call(&self, state: &State, depth: usize) -> BTreeSet<State> {
        let mut seen = BTreeSet::from([state.clone()]);
        if depth >= self.deepest {
            return seen;
        }
        let asked = (state.clone(), depth);
        if let Some(known) = self.calls.borrow().get(&asked) {
            return known.clone();
        }
        let mut open = vec![state.clone()];
        while let Some(state) = open.pop() {
            let next = self.events(&state, depth + 1).into_iter().flatten();
            open.extend(next.filter(|state| seen.insert(state.clone())));
        }
        self.calls.borrow_mut().insert(asked, seen.clone());
        seen
    }
}

/// Numbers that look random (G. Marsaglia, Xorshift RNGs, 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// A graph of an event that only calls, and of one or two more, each the head of nodes that call, set flags, ask them,
/// and fork.
fn graph(numbers: &mut Numbers) -> String {
    let mut nodes = vec![
        r#"{"name": "e0", "kind": "Comes", "out": ["Out"]}"#.to_owned(),
        r#"{"name": "n0", "kind": "Ask"}"#.to_owned(),
    ];
    let mut links = vec![r#""e0.Out -> n0.In""#.to_owned()];
    for event in 1..3 + numbers.below(2) {
        nodes.push(format!(
            r#"{{"name": "e{event}", "kind": "Comes", "out": ["Out"]}}"#
        ));
        let mut open = vec![format!("e{event}.Out")];
        for at in 0..2 + numbers.below(5) {
            // Mostly behind the last one.
            let from = match numbers.below(4) {
                0 => numbers.below(open.len()),
                _ => open.len() - 1,
            };
            let from = open.remove(from);
            let name = format!("n{event}_{at}");
            let flag = ["a", "b"][numbers.below(2)];
            let (node, outs): (String, [&str; 2]) = match numbers.below(10) {
                0..=2 => (r#""kind": "Ask""#.to_owned(), ["", "Out"]),
                on @ 3..=4 => (
                    format!(
                        r#""kind": "Set", "with": {{"flag": "{flag}", "to": {}}}"#,
                        on == 3
                    ),
                    ["", "Out"],
                ),
                9 => (r#""kind": "Fork""#.to_owned(), ["1", "2"]),
                yes => (
                    format!(r#""kind": "If", "with": {{"Condition": "{flag}"}}"#),
                    if yes < 7 {
                        ["False", "True"]
                    } else {
                        ["True", "False"]
                    },
                ),
            };
            nodes.push(format!(r#"{{"name": "{name}", {node}}}"#));
            links.push(format!(r#""{from} -> {name}.In""#));
            let outs = outs.iter().filter(|out| !out.is_empty());
            open.extend(outs.map(|out| format!("{name}.{out}")));
        }
    }
    let kinds = [
        "kind Comes",
        "event: out Out",
        "kind Ask",
        "in In",
        "out Out",
        "on In: calls, out Out",
        "kind Fork",
        "in In",
        "out 1..2",
        "on In: out each",
    ];
    format!(
        r#"{{"nodegraph": 1, "flags": {{"a": false, "b": false}}, "nodes": [{}], "links": [{}], "kinds": {kinds:?}}}"#,
        nodes.join(", "),
        links.join(", ")
    )
}

#[test]
fn what_runs_within_calls_of_handlers_is_nothing_new_where_that_is_said() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut nested, mut cut, mut lost) = (0, 0, 0);
    for _ in 0..2_000 {
        let text = graph(&mut numbers);
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
        let options = Options::default();
        let read = read("t.json", &text, &options, &mut sources, &mut diagnostics);
        let net = read.unwrap_or_else(|| panic!("{text}")).net;
        let Some((engine, _)) = net.ids().find(|(_, machine)| machine.name == "the engine") else {
            continue;
        };
        let is_cut = net.notes.iter().any(|note| note.what == NoteKind::Cut);
        nested += usize::from(net.notes.iter().any(|note| note.machine == Some(engine)));
        cut += usize::from(is_cut);
        let play = |deepest| Play {
            net: &net,
            engine,
            deepest,
            calls: RefCell::default(),
        };
        let (flat, deep) = (play(1), play(3));
        let ids = net.var_ids();
        let flags: Vec<usize> = ids
            .filter(|(_, var)| var.owner == super::Owner::Flag)
            .map(|(id, _)| id.index())
            .collect();
        let mut differs = false;
        for first in 0..1_usize << flags.len() {
            let mut state = vec![0; net.vars.len()];
            for (bit, &flag) in flags.iter().enumerate() {
                state[flag] = (first >> bit & 1) as u16;
            }
            differs |= flat.events(&state, 0) != deep.events(&state, 0);
        }
        assert!(!differs || is_cut, "{text}");
        lost += usize::from(differs);
    }
    assert!(nested > 100, "calls of handlers are tried: {nested}");
    assert!(cut < nested, "some of them lose nothing: {cut} of {nested}");
    assert!(lost > 0, "and some lose something");
}
