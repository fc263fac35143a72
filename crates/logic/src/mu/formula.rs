//! Formulas, what they consist of, and the values that they speak of.

use std::cmp::Ordering;
use std::sync::Arc;

/// A variable that stands for data: the how-manieth of its formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DataId(pub u32);

/// A variable that stands for a set of states: the how-manieth of its formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateSetId(pub u32);

/// A formula: propositions are of type `A`, kinds of actions of type `E`, data of type `V`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mu<A, E, V> {
    /// Holds everywhere.
    True,
    /// Holds nowhere.
    False,
    /// Holds where the proposition does.
    Atom(A),
    /// Holds everywhere or nowhere, depending on data.
    Data(Condition<V>),
    /// Negation.
    Not(Arc<Mu<A, E, V>>),
    /// All of them hold.
    And(Arc<[Mu<A, E, V>]>),
    /// One of them holds.
    Or(Arc<[Mu<A, E, V>]>),
    /// If the first holds, so does the second.
    Implies(Arc<Mu<A, E, V>>, Arc<Mu<A, E, V>>),
    /// `[R] p`: behind every path that the regular formula describes.
    Box(Regular<E, V>, Arc<Mu<A, E, V>>),
    /// `<R> p`: behind some path that the regular formula describes.
    Diamond(Regular<E, V>, Arc<Mu<A, E, V>>),
    /// `mu X(n = 0). p`: the least set of states that equals what the formula says of it; with
    /// parameters, one for each of their values.
    Least(StateSetId, Parameters<V>, Arc<Mu<A, E, V>>),
    /// `nu X(n = 0). p`: the greatest.
    Greatest(StateSetId, Parameters<V>, Arc<Mu<A, E, V>>),
    /// The set that a fixpoint around it is about, for these values of its parameters.
    Variable(StateSetId, Arc<[Operand<V>]>),
    /// For each value.
    ForAll(Binder<V>, Arc<Mu<A, E, V>>),
    /// For some value.
    Exists(Binder<V>, Arc<Mu<A, E, V>>),
}

/// Words of labels.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Regular<E, V> {
    /// One label.
    Action(Action<E, V>),
    /// One after the other.
    Sequence(Arc<[Regular<E, V>]>),
    /// One of them.
    Choice(Arc<[Regular<E, V>]>),
    /// Any number of times.
    Star(Arc<Regular<E, V>>),
    /// Once or more.
    Plus(Arc<Regular<E, V>>),
}

/// Labels. What happens in a step is a list of actions, often of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action<E, V> {
    /// Every label.
    Any,
    /// No label.
    None,
    /// The label of a step in which nothing that has a name happens.
    Silent,
    /// An action of this kind happens whose first arguments fit the patterns.
    Happens(E, Patterns<V>),
    /// These actions happen, in any order, and no others.
    Together(Arc<[(E, Patterns<V>)]>),
    /// Every label or none, depending on data.
    Data(Condition<V>),
    /// All others.
    Not(Arc<Action<E, V>>),
    /// All of them.
    And(Arc<[Action<E, V>]>),
    /// One of them.
    Or(Arc<[Action<E, V>]>),
    /// For each value.
    ForAll(Binder<V>, Arc<Action<E, V>>),
    /// For some value.
    Exists(Binder<V>, Arc<Action<E, V>>),
}

/// What the arguments of an action or a term look like, one after the other.
pub type Patterns<V> = Arc<[Pattern<V>]>;

/// What an argument looks like.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Pattern<V> {
    /// Anything.
    Any,
    /// The value of a variable.
    Variable(DataId),
    /// This value.
    Value(V),
    /// A term with this functor and so many arguments.
    Term(Arc<str>, Patterns<V>),
    /// The value of an expression.
    Computed(Arc<Operand<V>>),
}

/// A condition on data.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition<V> {
    /// Always, or never.
    Constant(bool),
    /// A comparison; one of values that have no order with each other is false.
    Compare(Comparison, Operand<V>, Operand<V>),
    /// A truth value.
    Is(Operand<V>),
    /// Negation.
    Not(Arc<Condition<V>>),
    /// All of them.
    And(Arc<[Condition<V>]>),
    /// One of them.
    Or(Arc<[Condition<V>]>),
}

/// What is compared, and what fixpoints are given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand<V> {
    /// The value of a variable.
    Variable(DataId),
    /// This value.
    Value(V),
    /// What is computed of others.
    Apply(Operation, Arc<[Operand<V>]>),
    /// Whether a condition holds, where that is asked: as the first operand of [`If`](Operation::If).
    Truth(Arc<Condition<V>>),
}

/// What is computed of values. All but [`If`](Operation::If) are of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient, rounded down.
    Divide,
    /// What is left of a division; not negative.
    Remainder,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// The number without its sign.
    Absolute,
    /// The number itself; what is none has no value.
    Number,
    /// The second if the first is true, else the third.
    If,
}

/// The parameters of a fixpoint.
pub type Parameters<V> = Arc<[Parameter<V>]>;

/// A parameter of a fixpoint.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameter<V> {
    /// The variable.
    pub variable: DataId,
    /// Its name.
    pub name: Arc<str>,
    /// Its value where the fixpoint stands.
    pub first: Operand<V>,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "their names say it")]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What brings in a variable for data.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binder<V> {
    /// The variable.
    pub variable: DataId,
    /// Its name.
    pub name: Arc<str>,
    /// Which values there are.
    pub domain: Domain<V>,
}

/// Which values a variable takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain<V> {
    /// Those that labels have where the variable stands in patterns.
    Occurring,
    /// These.
    Stated(Arc<[V]>),
    /// Those that occur, and others that cannot be told from each other.
    Unlimited,
    /// The whole numbers from this one on, or all. The value is one of them, it does not matter
    /// which: others are made after it.
    Numbers(Option<i128>, V),
}

/// An action that happens in a step, with its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Happening<E, V> {
    /// Of which kind.
    pub event: E,
    /// With what.
    pub args: Box<[V]>,
}

/// What happens in a step, in order.
pub type Label<E, V> = Box<[Happening<E, V>]>;

/// What can be told of values.
pub trait Values {
    /// Their type. Equal values are the same.
    type Value: Clone + Eq + std::hash::Hash;

    /// How two values are ordered, if they are.
    fn compare(&self, a: &Self::Value, b: &Self::Value) -> Option<Ordering>;

    /// The functor and the arguments of a value that is a term.
    fn term(&self, value: &Self::Value) -> Option<(String, Vec<Self::Value>)>;

    /// The number that a value is.
    fn number(&self, _value: &Self::Value) -> Option<i128> {
        None
    }

    /// A number as a value of the same kind as another, which is one.
    fn like(&self, _other: &Self::Value, _number: i128) -> Option<Self::Value> {
        None
    }

    /// The truth value that a value is.
    fn truth(&self, _value: &Self::Value) -> Option<bool> {
        None
    }
}

impl Comparison {
    pub(super) fn holds<V: Eq>(self, a: &V, b: &V, order: Option<Ordering>) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Unequal => a != b,
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        }
    }
}

impl<A, E, V> Mu<A, E, V> {
    /// A least fixpoint without parameters.
    pub fn least(set: StateSetId, body: impl Into<Arc<Self>>) -> Self {
        Mu::Least(set, [].into(), body.into())
    }

    /// A greatest fixpoint without parameters.
    pub fn greatest(set: StateSetId, body: impl Into<Arc<Self>>) -> Self {
        Mu::Greatest(set, [].into(), body.into())
    }

    /// The set of a fixpoint without parameters.
    #[must_use]
    pub fn set(set: StateSetId) -> Self {
        Mu::Variable(set, [].into())
    }

    /// The direct subformulas, in order.
    pub fn operands(&self) -> Vec<&Self> {
        match self {
            Mu::True | Mu::False | Mu::Atom(_) | Mu::Data(_) | Mu::Variable(..) => Vec::new(),
            Mu::Not(p)
            | Mu::Box(_, p)
            | Mu::Diamond(_, p)
            | Mu::Least(_, _, p)
            | Mu::Greatest(_, _, p)
            | Mu::ForAll(_, p)
            | Mu::Exists(_, p) => vec![p],
            Mu::And(ps) | Mu::Or(ps) => ps.iter().collect(),
            Mu::Implies(p, q) => vec![p, q],
        }
    }

    /// All occurrences of propositions, from left to right.
    pub fn atoms(&self) -> Vec<&A> {
        match self {
            Mu::Atom(atom) => vec![atom],
            _ => self.operands().into_iter().flat_map(Mu::atoms).collect(),
        }
    }

    /// How many variables for data it brings in: for each value of each of them there is a formula.
    pub fn binders(&self) -> usize {
        let own = usize::from(matches!(self, Mu::ForAll(..) | Mu::Exists(..)));
        own + self.operands().into_iter().map(Mu::binders).sum::<usize>()
    }

    /// Whether it computes with values: in parameters of fixpoints or in arguments of actions.
    pub fn computes(&self) -> bool {
        let has_parameters = match self {
            Mu::Least(_, parameters, _) | Mu::Greatest(_, parameters, _) => !parameters.is_empty(),
            _ => false,
        };
        has_parameters || self.operands().into_iter().any(Mu::computes) || {
            let patterns =
                |(_, patterns): (_, &[Pattern<V>])| patterns.iter().any(Pattern::computes);
            self.actions().into_iter().any(patterns)
        }
    }

    /// All kinds of actions that it names.
    pub fn events(&self) -> Vec<&E> {
        let actions = self.actions().into_iter();
        actions.map(|(event, _)| event).collect()
    }

    /// All actions that it names, with what their arguments look like.
    pub fn actions(&self) -> Vec<(&E, &[Pattern<V>])> {
        let mut found = Vec::new();
        for operand in self.operands() {
            found.extend(operand.actions());
        }
        if let Mu::Box(regular, _) | Mu::Diamond(regular, _) = self {
            regular.actions(&mut found);
        }
        found
    }
}

impl<V> Pattern<V> {
    /// Whether something in it is computed.
    pub fn computes(&self) -> bool {
        match self {
            Pattern::Any | Pattern::Variable(_) | Pattern::Value(_) => false,
            Pattern::Term(_, parts) => parts.iter().any(Pattern::computes),
            Pattern::Computed(_) => true,
        }
    }
}

impl<E, V> Regular<E, V> {
    fn actions<'r>(&'r self, found: &mut Vec<(&'r E, &'r [Pattern<V>])>) {
        match self {
            Regular::Action(action) => action.actions(found),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| part.actions(found));
            }
            Regular::Star(part) | Regular::Plus(part) => part.actions(found),
        }
    }
}

impl<E, V> Action<E, V> {
    fn actions<'r>(&'r self, found: &mut Vec<(&'r E, &'r [Pattern<V>])>) {
        match self {
            Action::Happens(event, patterns) => found.push((event, patterns)),
            Action::Together(all) => {
                found.extend(all.iter().map(|(event, patterns)| (event, &**patterns)));
            }
            Action::Not(p) | Action::ForAll(_, p) | Action::Exists(_, p) => p.actions(found),
            Action::And(ps) | Action::Or(ps) => ps.iter().for_each(|p| p.actions(found)),
            Action::Any | Action::None | Action::Silent | Action::Data(_) => {}
        }
    }
}
