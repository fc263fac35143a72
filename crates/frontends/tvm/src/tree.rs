//! Files as trees.

use logic::{Buchi, Ltl};
use model::predicates::Kleene;
use source::Span;

/// A name with what stands in brackets behind it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Name {
    pub(crate) base: String,
    pub(crate) indices: Vec<String>,
    pub(crate) span: Span,
}

/// A formula.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Formula {
    Value(Kleene),
    Holds(Name, Vec<String>),
    /// A way of steps of a predicate of two; whether one of none is a way, too.
    Way(Name, [String; 2], bool),
    Equal(String, String, Span),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Same(Box<[Formula; 2]>),
    If(Box<[Formula; 3]>),
    /// Some, or all, of these.
    Bound(bool, Vec<String>, Box<Formula>),
    Closure([String; 2], [String; 2], Box<Formula>, Span),
    /// All, or one, over the members of a set.
    Over(bool, String, Set, Box<Formula>),
}

/// A set: by name, or by its members.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Set {
    Named(String, Span),
    Of(Vec<String>),
    /// A name for each member of another set, which a variable stands for.
    Each(Name, String, Box<Set>),
    Joined(Box<[Set; 2]>, Join),
}

/// How two sets make one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Join {
    Union,
    Difference,
    Intersection,
}

#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) name: Name,
    pub(crate) arguments: Vec<String>,
    pub(crate) definition: Option<Formula>,
    pub(crate) attributes: Vec<(String, Span)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) body: Formula,
    pub(crate) head: Formula,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Declaration {
    Set(String, Set),
    Predicate(Predicate),
    Rule(Rule),
    /// Formulas that each action focuses on.
    Focus(Vec<Formula>),
    /// A message of each action.
    Message(Formula, String, Span),
    Each(String, Set, Vec<Declaration>),
}

#[derive(Clone, Debug)]
pub(crate) enum Update {
    Set(Name, Vec<String>, Formula),
    Each(String, Set, Vec<Update>),
}

/// New individuals of an action.
#[derive(Clone, Debug)]
pub(crate) enum New {
    /// One.
    One,
    /// One for each of which this holds.
    Each(Formula, Span),
    /// A copy of each of which this holds.
    Clone(Formula, Span),
    /// A thread of this type.
    Thread(String, Span),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    /// Names that stand for any member of a set.
    pub(crate) chosen: Vec<(String, Set)>,
    pub(crate) focus: Vec<Formula>,
    pub(crate) precondition: Option<Formula>,
    pub(crate) messages: Vec<(Formula, String, Span)>,
    pub(crate) creates: Vec<New>,
    /// Formulas of individuals with the keyword, `%start`, `%stop` or `%wait`.
    pub(crate) schedules: Vec<(String, Formula, Span)>,
    /// That the analysis ends here, if the formula holds.
    pub(crate) halts: Option<(Formula, Span)>,
    pub(crate) retains: Option<(Formula, Span)>,
    /// Messages about the configuration that the action leads to.
    pub(crate) messages_after: Vec<(Formula, String, Span)>,
    pub(crate) explicit_at: bool,
    pub(crate) updates: Vec<Update>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Call(Call),
    Assert(Formula),
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) effect: Effect,
    pub(crate) to: String,
    /// The number of the atomic block that it stands in.
    pub(crate) block: Option<usize>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) name: String,
    pub(crate) edges: Vec<Edge>,
}

/// Individuals with a value: none, one or several.
pub(crate) type Tuple = (Vec<String>, Kleene, Span);

#[derive(Clone, Debug, Default)]
pub(crate) struct Initial {
    /// Threads with their type and, if it is stated, where they are.
    pub(crate) threads: Vec<(String, String, Option<String>, Span)>,
    /// Where a sequential program is, if it is stated.
    pub(crate) location: Option<(String, Span)>,
    pub(crate) individuals: Vec<(String, Span)>,
    pub(crate) values: Vec<(Name, Vec<Tuple>)>,
    pub(crate) span: Span,
}

/// A property of runs that never end.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) linear: Linear,
}

/// What it says.
#[derive(Clone, Debug)]
pub(crate) enum Linear {
    /// All runs satisfy it.
    Formula(Ltl<Formula>),
    /// No run is accepted.
    Automaton(Buchi<Formula>),
}

impl Formula {
    /// Gives all its names one place, for a formula that is part of another text.
    pub(crate) fn stands_at(&mut self, place: Span) {
        match self {
            Formula::Value(_) => {}
            Formula::Holds(name, _) | Formula::Way(name, ..) => name.span = place,
            Formula::Equal(_, _, span) => *span = place,
            Formula::Not(inner) | Formula::Bound(_, _, inner) | Formula::Over(_, _, _, inner) => {
                inner.stands_at(place);
            }
            Formula::And(all) | Formula::Or(all) => {
                all.iter_mut().for_each(|one| one.stands_at(place));
            }
            Formula::Same(all) => all.iter_mut().for_each(|one| one.stands_at(place)),
            Formula::If(all) => all.iter_mut().for_each(|one| one.stands_at(place)),
            Formula::Closure(_, _, inner, span) => {
                *span = place;
                inner.stands_at(place);
            }
        }
    }
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) actions: Vec<Action>,
    pub(crate) threads: Vec<Thread>,
    /// The edges of a sequential program, which has no threads.
    pub(crate) flow: Option<Vec<Edge>>,
    pub(crate) claims: Vec<Call>,
    pub(crate) initial: Vec<Initial>,
    /// Of which configurations 3VMC writes or does not write that they were found.
    pub(crate) output: Vec<(Formula, Span)>,
    /// Properties of runs that never end.
    pub(crate) stated: Vec<Stated>,
    /// Whether no thread that can always go on is passed over for ever.
    pub(crate) fair: bool,
}
