//! Formulas of first-order logic with transitive closure, and Kleene's three values.

use crate::ids::PredicateId;

/// A truth value, of which it may not be known which it is. Conjunction is the minimum, disjunction
/// the maximum (Kleene, 1952).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Kleene {
    /// False.
    #[default]
    False,
    /// Either.
    Unknown,
    /// True.
    True,
}

impl Kleene {
    /// The value of a statement that is known.
    #[must_use]
    pub fn of(truth: bool) -> Kleene {
        if truth { Kleene::True } else { Kleene::False }
    }

    /// The other one.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the name of the field")]
    pub fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Unknown => Kleene::Unknown,
            Kleene::True => Kleene::False,
        }
    }

    /// What both of two values may be.
    #[must_use]
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Unknown }
    }

    /// Whether this may be that: it is the same, or unknown.
    #[must_use]
    pub fn covers(self, other: Kleene) -> bool {
        self == Kleene::Unknown || self == other
    }
}

/// A variable: its place in an assignment.
pub type Var = usize;

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// The same everywhere; where it is unknown, it may be chosen.
    Value(Kleene),
    /// A predicate of individuals.
    Holds(PredicateId, Vec<Var>),
    /// Two individuals are the same.
    Equal(Var, Var),
    /// Negation.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
    /// The second if the first, else the third.
    If(Box<[Formula; 3]>),
    /// Some individual.
    Exists(Var, Box<Formula>),
    /// All individuals.
    Forall(Var, Box<Formula>),
    /// There is a way, of one step at least, from the first individual to the second.
    Closure {
        /// From where to where.
        ends: [Var; 2],
        /// A step goes from the first of these to the second.
        step: [Var; 2],
        /// If that holds.
        edge: Box<Formula>,
    },
}

impl Formula {
    /// Negation; a negation is taken away.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the name of the field")]
    pub fn not(formula: Formula) -> Formula {
        match formula {
            Formula::Not(inner) => *inner,
            Formula::Value(value) => Formula::Value(value.not()),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// The same about another variable. No quantifier of it may bind either.
    #[must_use]
    pub fn renamed(&self, from: Var, to: Var) -> Formula {
        self.mapped(&|variable| if variable == from { to } else { variable })
    }

    /// The same with other variables, free and bound ones. Different ones must stay different.
    #[must_use]
    pub fn mapped(&self, name: &dyn Fn(Var) -> Var) -> Formula {
        let boxed = |inner: &Formula| Box::new(inner.mapped(name));
        match self {
            Formula::Holds(predicate, variables) => {
                let variables = variables.iter().map(|&variable| name(variable));
                Formula::Holds(*predicate, variables.collect())
            }
            Formula::Equal(a, b) => Formula::Equal(name(*a), name(*b)),
            Formula::Exists(variable, inner) => Formula::Exists(name(*variable), boxed(inner)),
            Formula::Forall(variable, inner) => Formula::Forall(name(*variable), boxed(inner)),
            Formula::Closure { ends, step, edge } => Formula::Closure {
                ends: ends.map(name),
                step: step.map(name),
                edge: boxed(edge),
            },
            other => other.over(&|inner| inner.mapped(name)),
        }
    }

    /// What it says where a predicate has this value for the individuals that these variables stand
    /// for.
    #[must_use]
    pub fn given(&self, predicate: PredicateId, arguments: &[Var], value: bool) -> Formula {
        match self {
            Formula::Holds(one, variables) if *one == predicate && variables == arguments => {
                Formula::Value(Kleene::of(value))
            }
            // Inside, the variables stand for others.
            Formula::Exists(bound, _) | Formula::Forall(bound, _) if arguments.contains(bound) => {
                self.clone()
            }
            Formula::Closure { step, .. } if step.iter().any(|one| arguments.contains(one)) => {
                self.clone()
            }
            other => other.over(&|inner| inner.given(predicate, arguments, value)),
        }
    }

    /// The same with other parts.
    fn over(&self, other: &dyn Fn(&Formula) -> Formula) -> Formula {
        let boxed = |inner: &Formula| Box::new(other(inner));
        match self {
            Formula::Value(_) | Formula::Holds(..) | Formula::Equal(..) => self.clone(),
            Formula::Not(inner) => Formula::Not(boxed(inner)),
            Formula::And(parts) => Formula::And(parts.iter().map(other).collect()),
            Formula::Or(parts) => Formula::Or(parts.iter().map(other).collect()),
            Formula::If(parts) => {
                let [test, then, otherwise] = &**parts;
                Formula::If(Box::new([test, then, otherwise].map(other)))
            }
            Formula::Exists(variable, inner) => Formula::Exists(*variable, boxed(inner)),
            Formula::Forall(variable, inner) => Formula::Forall(*variable, boxed(inner)),
            Formula::Closure { ends, step, edge } => Formula::Closure {
                ends: *ends,
                step: *step,
                edge: boxed(edge),
            },
        }
    }

    /// The predicates that it reads.
    pub fn reads(&self, found: &mut Vec<PredicateId>) {
        match self {
            Formula::Value(_) | Formula::Equal(..) => {}
            Formula::Holds(predicate, _) => found.push(*predicate),
            Formula::Not(inner)
            | Formula::Exists(_, inner)
            | Formula::Forall(_, inner)
            | Formula::Closure { edge: inner, .. } => inner.reads(found),
            Formula::And(all) | Formula::Or(all) => all.iter().for_each(|one| one.reads(found)),
            Formula::If(all) => all.iter().for_each(|one| one.reads(found)),
        }
    }

    /// Whether it speaks of all individuals, so that a new one may change its value.
    #[must_use]
    pub fn is_quantified(&self) -> bool {
        match self {
            Formula::Value(_) | Formula::Equal(..) | Formula::Holds(..) => false,
            Formula::Exists(..) | Formula::Forall(..) | Formula::Closure { .. } => true,
            Formula::Not(inner) => inner.is_quantified(),
            Formula::And(all) | Formula::Or(all) => all.iter().any(Formula::is_quantified),
            Formula::If(all) => all.iter().any(Formula::is_quantified),
        }
    }
}
