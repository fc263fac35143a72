//! All structures that can be reached, each kept on its own (the relational join).

use std::cell::Cell;
use std::hash::BuildHasher;
use std::time::Instant;

use hashbrown::HashTable;
use model::predicates::{Kleene, PredicateProgram, Structure, Way};
use model::{Budget, MessageId, Progress, Statistics, UnknownReason};
use rapidhash::fast::RandomState;

use crate::Unsupported;
use crate::compile::Compiled;
use crate::matrix::Shape;
use crate::step::{Stopped, Watch};

/// What was found.
#[derive(Debug)]
pub struct Explored {
    /// The structures, in the order in which they were found, breadth first.
    pub structures: Vec<Structure>,
    /// The structure and the action from which each was found first; none for initial ones.
    pub parents: Vec<Option<(usize, usize)>>,
    /// Where actions that are steps of runs lead from each structure: the action and the structure.
    pub steps: Vec<Vec<(usize, usize)>>,
    /// Of each message, whether it may be given, and where first.
    pub messages: Vec<Reported>,
    /// Why there may be more structures, if that is so.
    pub stopped: Option<UnknownReason>,
    /// Figures.
    pub statistics: Statistics,
}

impl Explored {
    /// The shortest way to where a message may be given.
    #[must_use]
    pub fn way(&self, program: &PredicateProgram, message: MessageId) -> Option<Way> {
        let (at, action, _) = self.messages[message.index()].at?;
        let mut way = self.way_to(program, at);
        way.actions.push(action);
        Some(way)
    }

    /// The shortest way to a structure, by its position.
    #[must_use]
    pub fn way_to(&self, program: &PredicateProgram, mut at: usize) -> Way {
        let mut structures = vec![self.structures[at].clone()];
        let mut actions = Vec::new();
        while let Some((from, action)) = self.parents[at] {
            structures.push(self.structures[from].clone());
            actions.push(action);
            at = from;
        }
        structures.reverse();
        actions.reverse();
        Way {
            initial: (program.initial.len() == 1).then_some(0),
            structures,
            actions,
            repeats_from: None,
        }
    }
}

/// What is known of a message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reported {
    /// Whether an action that could give it may happen at all.
    pub possible: bool,
    /// The structure and the action where it may be given, and whether it surely is where the action
    /// happens.
    pub at: Option<(usize, usize, bool)>,
}

/// Explores a program.
///
/// # Errors
/// If the program has something that this engine has no form for.
pub fn explore(
    program: &PredicateProgram,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Explored, Unsupported> {
    let began = Instant::now();
    let compiled = Compiled::new(program)?;
    let mut search = Search {
        compiled: &compiled,
        hasher: RandomState::new(),
        shapes: Vec::new(),
        known: HashTable::new(),
        parents: Vec::new(),
        depths: Vec::new(),
        observers: program
            .actions
            .iter()
            .map(|action| program.is_observer(action))
            .collect(),
        steps: Vec::new(),
        messages: vec![Reported::default(); program.messages.len()],
        bytes: 0,
        statistics: Statistics::default(),
    };
    for structure in &program.initial {
        let shape = Shape::read(structure, &compiled.layout);
        let shape = shape.ok_or(Unsupported::Individuals)?;
        if let Some(shape) = compiled.initial(shape) {
            search.put(shape, None);
        }
    }
    let stopped = search.run(budget, progress);
    search.count(began);
    let layout = &compiled.layout;
    Ok(Explored {
        structures: search
            .shapes
            .iter()
            .map(|shape| shape.written(layout))
            .collect(),
        parents: search.parents,
        steps: search.steps,
        messages: search.messages,
        stopped,
        statistics: search.statistics,
    })
}

struct Search<'c> {
    compiled: &'c Compiled,
    hasher: RandomState,
    shapes: Vec<Shape>,
    /// Positions of shapes, by their contents.
    known: HashTable<usize>,
    parents: Vec<Option<(usize, usize)>>,
    depths: Vec<u64>,
    /// Which actions are no steps of runs.
    observers: Vec<bool>,
    steps: Vec<Vec<(usize, usize)>>,
    messages: Vec<Reported>,
    bytes: usize,
    statistics: Statistics,
}

impl Search<'_> {
    /// Keeps a structure, and says its position.
    fn put(&mut self, shape: Shape, parent: Option<(usize, usize)>) -> usize {
        let hash = self.hasher.hash_one(&shape);
        if let Some(&known) = self.known.find(hash, |&at| self.shapes[at] == shape) {
            return known;
        }
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| hasher.hash_one(&shapes[at]);
        self.known.insert_unique(hash, shapes.len(), again);
        self.bytes += shape.bytes();
        self.shapes.push(shape);
        self.parents.push(parent);
        let depth = parent.map_or(0, |(from, _)| self.depths[from] + 1);
        self.depths.push(depth);
        self.statistics.depth = self.statistics.depth.max(depth);
        self.shapes.len() - 1
    }

    fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Option<UnknownReason> {
        let compiled = self.compiled;
        let mut next = 0;
        while next < self.shapes.len() {
            if let Some(reason) = budget.exhausted(self.bytes as u64) {
                return Some(reason);
            }
            if next % 1024 == 0 {
                self.statistics.states = self.shapes.len() as u64;
                progress.report(&self.statistics, (self.shapes.len() - next) as u64);
            }
            let mut leads = Vec::new();
            let Some(shape) = compiled.coerced_by_all(self.shapes[next].clone()) else {
                self.steps.push(leads);
                next += 1;
                continue;
            };
            for (number, action) in compiled.actions.iter().enumerate() {
                let watch = Watch {
                    budget,
                    bytes: self.bytes as u64,
                    pending: Cell::new(0),
                };
                let steps = match compiled.steps(&shape, action, &watch) {
                    Ok(steps) => steps,
                    Err(Stopped::TooLarge) => {
                        let what = Unsupported::Individuals.to_string();
                        return Some(UnknownReason::Unsupported(what));
                    }
                    Err(Stopped::Limit(reason)) => return Some(reason),
                };
                if !steps.is_empty() {
                    for (message, _) in action.reports.iter().chain(&action.reports_after) {
                        self.messages[message.index()].possible = true;
                    }
                }
                for step in steps {
                    self.statistics.transitions += 1;
                    for (message, value) in step.reported {
                        self.report(message, (next, number, value == Kleene::True));
                    }
                    if let Some(after) = step.after {
                        let to = self.put(after, Some((next, number)));
                        if !self.observers[number] && !leads.contains(&(number, to)) {
                            leads.push((number, to));
                        }
                    }
                }
            }
            self.steps.push(leads);
            next += 1;
        }
        None
    }

    fn report(&mut self, message: MessageId, at: (usize, usize, bool)) {
        let known = &mut self.messages[message.index()].at;
        // What is sure says more than what may be.
        if known.is_none_or(|(_, _, surely)| at.2 && !surely) {
            *known = Some(at);
        }
    }

    fn count(&mut self, began: Instant) {
        let states = self.shapes.len() as u64;
        let bytes = self.bytes as u64;
        self.statistics = Statistics {
            states,
            state_bytes: bytes.checked_div(states).unwrap_or(0),
            memory: bytes,
            storage: "structures",
            time: began.elapsed(),
            ..self.statistics.clone()
        };
    }
}
