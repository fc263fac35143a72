//! What Probity makes of a script: its verdicts, and what its program can print.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use model::interp::{Interp, Occurrence};
use model::{Origin, Program, Rich, Silent, Value, Verdict};

/// States that are looked at in one script, at most.
const MOST_STATES: usize = 3_000;

/// Bytes for states, and the longest time: some scripts have no end of states.
const MEMORY: u64 = 16 << 20;
const LONGEST: Duration = Duration::from_secs(5);

/// The verdicts by property.
pub(crate) fn verdicts(program: &Program) -> Vec<(String, &'static str)> {
    let options = verify::Options {
        jobs: 1,
        memory: Some(MEMORY),
        timeout: Some(LONGEST),
        ..verify::Options::default()
    };
    let outcomes = verify::check(program, &options, &Silent);
    outcomes
        .iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            let verdict = match outcome.verdict {
                Verdict::Holds { .. } => "holds",
                Verdict::Fails { .. } => "fails",
                Verdict::Vacuous { .. } => "vacuous",
                _ => "not known",
            };
            (name, verdict)
        })
        .collect()
}

/// A step: the labels that it prints, and where it leads.
type Edge = (Vec<usize>, usize);

/// The states of a program, as far as they have been looked at.
pub(crate) struct Ours<'p> {
    program: &'p Program,
    interp: Interp<'p>,
    states: Vec<model::interp::State>,
    numbers: HashMap<model::interp::State, usize>,
    edges: HashMap<usize, Vec<Edge>>,
    /// What may have been printed, and where one may be then.
    after: HashMap<Vec<usize>, BTreeSet<usize>>,
}

impl<'p> Ours<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let interp = Interp::new(program);
        let (_, first) = interp.initial().unwrap().remove(0);
        Ours {
            program,
            interp,
            numbers: HashMap::from([(first.clone(), 0)]),
            states: vec![first],
            edges: HashMap::new(),
            after: HashMap::new(),
        }
    }

    /// Whether only a part of what tools may do is looked at.
    pub(crate) fn leaves_something_out(&self) -> bool {
        let mut all = self.program.assumptions.iter();
        all.any(|assumption| assumption.origin == Origin::Narrowed)
    }

    /// Whether exactly these labels can be printed, one after the other; `None` if there is too much to
    /// look at.
    pub(crate) fn can_show(&mut self, labels: &[usize]) -> Option<bool> {
        self.after(labels).map(|states| !states.is_empty())
    }

    /// Where one may be when exactly these labels have been printed.
    fn after(&mut self, labels: &[usize]) -> Option<BTreeSet<usize>> {
        if let Some(known) = self.after.get(labels) {
            return Some(known.clone());
        }
        let mut states = match labels.split_last() {
            None => BTreeSet::from([0]),
            Some((last, before)) => {
                let mut states = BTreeSet::new();
                for from in self.after(before)? {
                    for (printed, to) in self.edges(from)? {
                        if printed == [*last] {
                            states.insert(to);
                        }
                    }
                }
                states
            }
        };
        let mut waiting: Vec<usize> = states.iter().copied().collect();
        while let Some(from) = waiting.pop() {
            for (printed, to) in self.edges(from)? {
                if printed.is_empty() && states.insert(to) {
                    waiting.push(to);
                }
            }
        }
        self.after.insert(labels.to_vec(), states.clone());
        Some(states)
    }

    fn edges(&mut self, from: usize) -> Option<Vec<Edge>> {
        if let Some(known) = self.edges.get(&from) {
            return Some(known.clone());
        }
        let state = self.states[from].clone();
        let mut edges = Vec::new();
        for successor in self.interp.expand(&state).ok()?.successors {
            let (replayed, _) = self.interp.replay_step(0, &state, &successor.step).unwrap();
            let printed = replayed.occurrences.iter().filter_map(|occurrence| {
                let Occurrence::Event { event, args, .. } = occurrence else {
                    return None;
                };
                let is_print = self.program.events[event.index()].name == "printf";
                let Some(Value::Rich(text)) = args.first().filter(|_| is_print) else {
                    return None;
                };
                match &*self.program.rich.get(*text) {
                    Rich::Text(text) => text.strip_prefix('L')?.parse().ok(),
                    _ => None,
                }
            });
            let printed = printed.collect();
            let fresh = self.states.len();
            let to = *self.numbers.entry(successor.state.clone()).or_insert(fresh);
            if to == fresh {
                self.states.push(successor.state);
            }
            edges.push((printed, to));
        }
        if self.states.len() > MOST_STATES {
            return None;
        }
        self.edges.insert(from, edges.clone());
        Some(edges)
    }
}
