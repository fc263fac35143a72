//! Programs over logical structures: any number of objects and threads.
//!
//! A configuration is a logical structure: a set of individuals and the values of predicates over
//! them. An action has a precondition and, for each predicate that it changes, a formula of its next
//! value. An individual may stand for several (a *summary*), and a value may be unknown: then one
//! structure stands for many configurations (Sagiv, Reps and Wilhelm, *Parametric Shape Analysis via
//! 3-Valued Logic*, 2002; Yahav, *Verifying Safety Properties of Concurrent Java Programs Using
//! 3-Valued Logic*, 2001).
//!
//! What a program means is said by its [two-valued interpreter](Concrete).

mod concrete;
mod creation;
mod embedding;
mod endless;
mod formula;
mod linear;
mod run;
mod structure;
mod values;
mod way;

use source::Span;

pub use concrete::{Concrete, Taken};
pub use endless::EndlessRun;
pub use formula::{Formula, Kleene, Var};
pub use linear::{Progress, Waiting};
pub use run::{PredicateRun, RunError};
pub use structure::Structure;
pub use values::Values;
pub use way::Way;

use crate::ids::{MessageId, PredicateId};

/// A program over logical structures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PredicateProgram {
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// What can happen. Each is tried in every configuration.
    pub actions: Vec<PredicateAction>,
    /// Actions, by their positions, that may happen although what the program was made of never does
    /// that: a run with one of them is no counterexample.
    pub approximate: Vec<usize>,
    /// What holds in every configuration: one that breaks a rule does not exist.
    pub constraints: Vec<Constraint>,
    /// The configurations in which runs begin; summaries and unknown values stand for many.
    pub initial: Vec<Structure>,
    /// What the individuals of each are called, for people.
    pub called: Vec<Vec<String>>,
    /// What must not be reported.
    pub messages: Vec<Message>,
    /// The predicate that says whose turn it is; runs are told without it.
    pub turn: Option<PredicateId>,
    /// Who can have the turn: a conjunction of predicates of the variable 0.
    pub schedulable: Option<Formula>,
    /// Whether runs in which a thread can always go on but never does are left out (weak fairness).
    pub fair: bool,
    /// The predicate that tells new individuals from the others in updates. It holds for nobody
    /// before an action and after it.
    pub is_new: Option<PredicateId>,
    /// The predicate of two that says in updates which individual a new one was made for. It holds
    /// for nobody before an action and after it.
    pub instance: Option<PredicateId>,
}

/// A predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// How many individuals it is about.
    pub arity: usize,
    /// Whether individuals that differ in it are kept apart (of one individual), or structures are
    /// (of none).
    pub abstraction: bool,
    /// Whether at most one individual has it, or, of a predicate of two, is its second one for each
    /// first. A constraint says so, too.
    pub unique: bool,
    /// Of a predicate of two, whether at most one individual is its first one for each second. A
    /// constraint says so, too.
    pub injective: bool,
    /// What it means in terms of predicates before it, with its arguments as the first variables.
    pub definition: Option<Formula>,
    /// Where it is declared.
    pub span: Span,
}

/// Something that can happen.
#[derive(Clone, PartialEq, Debug)]
pub struct PredicateAction {
    /// What it does, for people.
    pub name: String,
    /// Where it is stated.
    pub span: Span,
    /// The names of its variables. It happens for each assignment of individuals to the first
    /// [`free`](PredicateAction::free) ones that satisfies the precondition; the others are bound.
    pub variables: Vec<String>,
    /// How many of the variables are free.
    pub free: usize,
    /// The variable of the thread that moves, if one does.
    pub scheduled: Option<Var>,
    /// What an analysis had better know here. It has no influence on what happens.
    pub focus: Vec<Focus>,
    /// When it happens.
    pub precondition: Formula,
    /// Whether anybody who can have the turn may have it afterwards.
    pub opens_turn: bool,
    /// What it reports if that holds where it happens.
    pub reports: Vec<(MessageId, Formula)>,
    /// The individuals that come into being, one after the other. Updates see them.
    pub creates: Vec<Creation>,
    /// What changes; all at once.
    pub updates: Vec<Update>,
    /// If individuals vanish: those that were there before and for which this, read before the
    /// action, does not hold of the variable.
    pub retains: Option<(Var, Formula)>,
    /// What it reports if that, which has no free variables, holds where the action leads.
    pub reports_after: Vec<(MessageId, Formula)>,
}

/// Values that an analysis had better know.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Focus {
    /// The values of this predicate of one individual or none.
    pub of: PredicateId,
    /// If one individual at most has it: where predicates of two lead from that individual, each from
    /// where the one before has led.
    pub then: Vec<Onward>,
}

/// A way from one individual to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Onward {
    /// The predicate of two that leads there.
    pub predicate: PredicateId,
    /// Whether it is followed from its second individual to its first.
    pub back: bool,
}

impl From<PredicateId> for Onward {
    fn from(predicate: PredicateId) -> Onward {
        Onward {
            predicate,
            back: false,
        }
    }
}

impl Onward {
    /// Whether at most one individual lies there.
    #[must_use]
    pub fn is_unique(self, program: &PredicateProgram) -> bool {
        let predicate = program.predicate(self.predicate);
        predicate.arity == 2
            && if self.back {
                predicate.injective
            } else {
                predicate.unique
            }
    }
}

impl From<PredicateId> for Focus {
    fn from(of: PredicateId) -> Focus {
        let then = Vec::new();
        Focus { of, then }
    }
}

/// New individuals.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Creation {
    /// One for each individual of which this holds before the action; else one.
    pub each: Option<(Var, Formula)>,
    /// Whether they have the values of those that they are made for: of predicates of one, and
    /// among each other of predicates of two. Nothing else holds for them.
    pub copies: bool,
    /// Predicates of one individual that hold for them from the beginning.
    pub holds: Vec<PredicateId>,
}

/// The next values of a predicate.
#[derive(Clone, PartialEq, Debug)]
pub struct Update {
    /// The predicate; it has no definition.
    pub predicate: PredicateId,
    /// The variables that stand for its arguments.
    pub parameters: Vec<Var>,
    /// The value, read before the action. Where it is unknown, it is chosen.
    pub value: Formula,
}

/// A rule that every configuration obeys.
#[derive(Clone, PartialEq, Debug)]
pub struct Constraint {
    /// What it says, for people.
    pub text: String,
    /// How many variables there are; the first [`free`](Constraint::free) ones stand for any
    /// individuals.
    pub variables: usize,
    /// How many of the variables are free.
    pub free: usize,
    /// When it applies.
    pub body: Formula,
    /// What holds then.
    pub head: Head,
    /// Where it is stated.
    pub span: Span,
}

/// What a rule says.
#[derive(Clone, PartialEq, Debug)]
pub enum Head {
    /// It never applies.
    Never,
    /// A predicate holds, or does not.
    Literal(PredicateId, Vec<Var>, bool),
    /// Two individuals are the same, or are not.
    Equal(Var, Var, bool),
}

impl Head {
    /// The same as a formula.
    #[must_use]
    pub fn formula(&self) -> Formula {
        let (atom, positive) = match self {
            Head::Never => return Formula::Value(Kleene::False),
            Head::Literal(predicate, arguments, positive) => {
                (Formula::Holds(*predicate, arguments.clone()), *positive)
            }
            Head::Equal(a, b, positive) => (Formula::Equal(*a, *b), *positive),
        };
        if positive { atom } else { Formula::not(atom) }
    }
}

/// Something that must not be reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// What is wrong then, for people.
    pub text: String,
    /// Where it is stated.
    pub span: Span,
}

impl PredicateProgram {
    /// A predicate.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// What the individuals of a configuration are called in which the ones of an initial structure
    /// are so many each.
    #[must_use]
    pub fn names(&self, initial: usize, counts: &[usize]) -> Vec<String> {
        let mut names = Vec::new();
        let called = self.called.get(initial);
        for (individual, &count) in counts.iter().enumerate() {
            let name = called.and_then(|all| all.get(individual));
            let name = name.map_or_else(|| format!("u{}", individual + 1), Clone::clone);
            match count {
                1 => names.push(name),
                _ => names.extend((1..=count).map(|number| format!("{name}#{number}"))),
            }
        }
        names
    }

    /// What the individuals are called after a step.
    #[must_use]
    pub fn names_after(&self, names: &[String], taken: &Taken) -> Vec<String> {
        let numbers = names.iter().filter_map(|name| name.strip_prefix("new#"));
        let last = numbers.filter_map(|number| number.parse::<usize>().ok());
        let mut last = last.max().unwrap_or(0);
        let called = taken.origins.iter().map(|&origin| match names.get(origin) {
            Some(name) => name.clone(),
            None => {
                last += 1;
                format!("new#{last}")
            }
        });
        called.collect()
    }

    /// The predicates with definitions, in an order in which each reads only those before it.
    pub fn defined(&self) -> impl Iterator<Item = (PredicateId, usize, &Formula)> {
        let all = self.predicates.iter().enumerate();
        all.filter_map(|(index, predicate)| {
            let definition = predicate.definition.as_ref()?;
            Some((PredicateId::new(index), predicate.arity, definition))
        })
    }
}
