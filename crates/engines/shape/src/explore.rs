//! All structures that can be reached.
//!
//! Each is kept on its own (the relational join), or those with the same individuals are joined, value by
//! value: fewer structures, of which less is known (R. Manevich, M. Sagiv, G. Ramalingam, J. Field,
//! *Partially Disjunctive Heap Abstraction*, 2004).
//!
//! Several threads look at what comes first among the open structures, and what they find is kept in the
//! order in which one thread would have found it. A structure that is joined with another one before its
//! turn comes is looked at again. So nothing depends on how many threads there are.

use std::collections::VecDeque;
use std::time::Instant;

use model::predicates::{Kleene, PredicateProgram, Structure, Way};
use model::{Budget, MessageId, Progress, Statistics, UnknownReason};

use crate::Unsupported;
use crate::compile::Compiled;
use crate::look::{Look, Seen};
use crate::matrix::Shape;
use crate::set::{Set, Wide};
use crate::step::Stopped;
use crate::store::{Place, Put, Store};

/// So many structures each thread looks at, more or less, before what they lead to is kept.
const MOST_EACH: usize = 32;
/// Where there are not so many open ones for each, one looks at them alone.
const FEWEST_EACH: usize = 8;

/// Which structures are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Join {
    /// Each on its own.
    #[default]
    Relational,
    /// One for each set of individuals, as the predicates that keep them apart name them, and values of
    /// the predicates that keep structures apart.
    Partial,
}

/// How to explore a program.
#[derive(Clone, Copy, Debug)]
pub struct Exploration<'a> {
    /// Which structures are kept.
    pub join: Join,
    /// Exploration ends once each of these messages may be given; `None`: it goes on.
    pub wanted: Option<&'a [MessageId]>,
    /// So many threads look at structures. What is found does not depend on it, unless a limit is reached.
    pub jobs: usize,
    /// Structures of so many individuals, 64 at most, are looked at with a bit in one word for each, and larger
    /// ones with several words. What is found does not depend on it; that is what other numbers are for.
    pub narrow: usize,
}

impl Default for Exploration<'_> {
    /// Each structure on its own, all of them, in one thread.
    fn default() -> Self {
        Exploration {
            join: Join::default(),
            wanted: None,
            jobs: 1,
            narrow: u64::MOST,
        }
    }
}

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
    /// Whether these are all structures.
    pub complete: bool,
    /// Why there may be more structures, if a limit says so.
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

/// Explores a program; each structure is kept on its own.
///
/// # Errors
/// If the program has something that this engine has no form for.
pub fn explore(
    program: &PredicateProgram,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Explored, Unsupported> {
    explore_with(program, Exploration::default(), budget, progress)
}

/// Explores a program.
///
/// # Errors
/// If the program has something that this engine has no form for.
pub fn explore_with(
    program: &PredicateProgram,
    how: Exploration<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Explored, Unsupported> {
    let began = Instant::now();
    let compiled = Compiled::new(program)?;
    let observers = program.actions.iter();
    let mut search = Search {
        compiled: &compiled,
        store: Store::new(&compiled.layout, how.join),
        open: VecDeque::new(),
        turns: Vec::new(),
        jobs: how.jobs,
        narrow: how.narrow.min(u64::MOST),
        wanted: how.wanted,
        parents: Vec::new(),
        depths: Vec::new(),
        observers: observers
            .map(|action| program.is_observer(action))
            .collect(),
        steps: Vec::new(),
        messages: vec![Reported::default(); program.messages.len()],
        statistics: Statistics::default(),
    };
    for structure in &program.initial {
        let place = match structure.size() <= search.narrow {
            true => search.initial::<u64>(structure),
            false => search.initial::<Wide>(structure),
        };
        if let Some(place) = place? {
            search.put(place, None);
        }
    }
    let stopped = search.run(budget, progress);
    search.count(began);
    let layout = &compiled.layout;
    // Each is given up once it is written.
    let shapes = search.store.shapes.into_iter();
    // Structures of the same size share where the values of each predicate are.
    let mut blank: Vec<Option<Structure>> = vec![None; Wide::MOST + 1];
    let written = shapes.map(|packed| {
        let size = packed.size();
        let blank = blank[size]
            .get_or_insert_with(|| Structure::new(&program.predicates, vec![false; size]));
        match size <= u64::MOST {
            true => packed.shape::<u64>(layout).written(layout, blank.clone()),
            false => packed.shape::<Wide>(layout).written(layout, blank.clone()),
        }
    });
    Ok(Explored {
        structures: written.collect(),
        parents: search.parents,
        steps: search.steps,
        messages: search.messages,
        complete: stopped.is_none() && search.open.is_empty(),
        stopped,
        statistics: search.statistics,
    })
}

/// Where a structure stands among the open ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// It is not open.
    Over,
    /// It is open.
    Open,
    /// It is open, and it is known where it leads.
    Seen,
}

struct Search<'c> {
    compiled: &'c Compiled,
    store: Store<'c>,
    /// The structures, by their positions, whose steps are to be found.
    open: VecDeque<usize>,
    /// Of each structure, whether it is one of them.
    turns: Vec<Turn>,
    /// How many threads there are.
    jobs: usize,
    /// Structures of so many individuals are looked at in narrow sets.
    narrow: usize,
    wanted: Option<&'c [MessageId]>,
    parents: Vec<Option<(usize, usize)>>,
    depths: Vec<u64>,
    /// Which actions are no steps of runs.
    observers: Vec<bool>,
    steps: Vec<Vec<(usize, usize)>>,
    messages: Vec<Reported>,
    statistics: Statistics,
}

impl Search<'_> {
    /// Where an initial structure belongs; nowhere, if it breaks a rule.
    fn initial<S: Set>(&self, structure: &Structure) -> Result<Option<Place>, Unsupported> {
        let shape = Shape::<S>::read(structure, &self.compiled.layout);
        let shape = shape.ok_or(Unsupported::Individuals)?;
        let initial = self.compiled.initial(shape);
        Ok(initial.map(|shape| self.store.find(&shape)))
    }

    /// Keeps a structure, and says its position.
    fn put(&mut self, place: Place, parent: Option<(usize, usize)>) -> usize {
        match self.store.put(place) {
            Put::Known(at) => at,
            Put::Joined(at) => {
                if std::mem::replace(&mut self.turns[at], Turn::Open) == Turn::Over {
                    self.open.push_back(at);
                }
                at
            }
            Put::New(at) => {
                self.open.push_back(at);
                self.turns.push(Turn::Open);
                self.parents.push(parent);
                let depth = parent.map_or(0, |(from, _)| self.depths[from] + 1);
                self.depths.push(depth);
                self.steps.push(Vec::new());
                self.statistics.depth = self.statistics.depth.max(depth);
                at
            }
        }
    }

    fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Option<UnknownReason> {
        let mut looked_at = 0_u64;
        let mut seen = VecDeque::new();
        while !self.open.is_empty() {
            if seen.is_empty() {
                seen = self.seen(budget);
            }
            let next = self.open.pop_front()?;
            let seen = seen.pop_front().flatten();
            let turn = std::mem::replace(&mut self.turns[next], Turn::Over);
            if let Some(reason) = budget.exhausted(self.store.bytes as u64) {
                return Some(reason);
            }
            if looked_at.is_multiple_of(1024) {
                self.statistics.states = self.store.shapes.len() as u64;
                progress.report(&self.statistics, self.open.len() as u64);
            }
            looked_at += 1;
            let expanded = match seen.filter(|_| turn == Turn::Seen) {
                Some(seen) => {
                    self.lead(next, seen);
                    Ok(())
                }
                None => self.expand(next, budget),
            };
            if let Err(reason) = expanded {
                return Some(reason);
            }
            if self.all_reported() {
                self.open.push_front(next);
                return None;
            }
        }
        None
    }

    /// What several threads see of the first open structures. There is nothing for those at which one has
    /// to look alone: where a limit was reached, what others keep may be the reason.
    fn seen(&mut self, budget: &Budget) -> VecDeque<Option<Vec<Seen>>> {
        let most = self.jobs * MOST_EACH;
        if self.jobs < 2 || self.open.len() < self.jobs * FEWEST_EACH {
            return VecDeque::new();
        }
        let all: Vec<usize> = self.open.iter().copied().take(most).collect();
        all.iter().for_each(|&at| self.turns[at] = Turn::Seen);
        self.look(budget).together(&all, self.jobs).into()
    }

    fn look<'s>(&'s self, budget: &'s Budget) -> Look<'s> {
        Look {
            compiled: self.compiled,
            store: &self.store,
            budget,
            narrow: self.narrow,
        }
    }

    /// Whether there is nothing more to be known of what is wanted.
    fn all_reported(&self) -> bool {
        let reported = |message: &MessageId| self.messages[message.index()].at.is_some();
        self.wanted.is_some_and(|all| all.iter().all(reported))
    }

    /// Finds the steps from a structure. It is as sharp as rules make it: what an action leads to is made
    /// so, and a rule that applies where less is known applied where more was.
    fn expand(&mut self, from: usize, budget: &Budget) -> Result<(), UnknownReason> {
        let compiled = self.compiled;
        let fitted = self.look(budget).fitted(from);
        let mut leads = Vec::new();
        for action in 0..compiled.actions.len() {
            let steps = self.look(budget).steps(&fitted, action, 0);
            let steps = steps.map_err(|stopped| match stopped {
                Stopped::TooLarge => {
                    UnknownReason::Unsupported(Unsupported::Individuals.to_string())
                }
                Stopped::Limit(reason) => reason,
            })?;
            if !steps.is_empty() {
                self.may_happen(action);
            }
            for seen in steps {
                leads.extend(self.take(seen, from));
            }
        }
        self.leads(from, leads);
        Ok(())
    }

    /// Keeps the steps that are seen from a structure.
    fn lead(&mut self, from: usize, all: Vec<Seen>) {
        let mut leads = Vec::new();
        for seen in all {
            self.may_happen(seen.action);
            leads.extend(self.take(seen, from));
        }
        self.leads(from, leads);
    }

    /// Keeps where a structure leads.
    fn leads(&mut self, from: usize, mut leads: Vec<(usize, usize)>) {
        leads.sort_unstable();
        leads.dedup();
        self.steps[from] = leads;
    }

    /// What an action could give may be given.
    fn may_happen(&mut self, action: usize) {
        let action = &self.compiled.actions[action];
        for (message, _) in action.reports.iter().chain(&action.reports_after) {
            self.messages[message.index()].possible = true;
        }
    }

    /// Keeps what a step reports and where it leads, and says where if it is a step of runs.
    fn take(&mut self, seen: Seen, from: usize) -> Option<(usize, usize)> {
        let action = seen.action;
        self.statistics.transitions += 1;
        for (message, value) in seen.reported {
            self.report(message, (from, action, value == Kleene::True));
        }
        let to = self.put(seen.after?, Some((from, action)));
        (!self.observers[action]).then_some((action, to))
    }

    fn report(&mut self, message: MessageId, at: (usize, usize, bool)) {
        let known = &mut self.messages[message.index()].at;
        // What is sure says more than what may be.
        if known.is_none_or(|(_, _, surely)| at.2 && !surely) {
            *known = Some(at);
        }
    }

    fn count(&mut self, began: Instant) {
        let states = self.store.shapes.len() as u64;
        let bytes = self.store.bytes as u64;
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
