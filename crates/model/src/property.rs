//! What is to be verified, and under which fairness and assumptions.

use logic::{Buchi, Ctl, Ltl};
use source::Span;

use crate::growth::Growth;
use crate::ids::{
    AssumptionId, CheckId, ExprId, FaultId, MessageId, ObserverId, ProcessId, PropertyId, StepId,
};
use crate::predicates::Formula;
use crate::vocabulary::MuFormula;

/// A fairness constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct Fairness {
    /// What it says, for people.
    pub name: String,
    /// The constraint.
    pub kind: FairnessKind,
    /// The assumption that brings it in; `None`: part of the semantics.
    pub assumption: Option<AssumptionId>,
}

/// What a fairness constraint demands of an infinite run.
#[derive(Clone, PartialEq, Debug)]
pub enum FairnessKind {
    /// Holds infinitely often.
    Justice(ExprId),
    /// If the first holds infinitely often, so does the second.
    Compassion(ExprId, ExprId),
    /// Infinitely often one of the steps is taken or none of them is enabled.
    Weak(Vec<(ProcessId, StepId)>),
    /// If infinitely often one of the steps is enabled, infinitely often one is taken.
    Strong(Vec<(ProcessId, StepId)>),
    /// Each instance, by its number: infinitely often it takes part in a move or can take part in
    /// none. So an instance that has ended for good or was never there is not unfair.
    WeakInstances,
}

/// A restriction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// A sentence that completes "assuming that".
    pub text: String,
    /// Who made it.
    pub origin: Origin,
    /// The properties it touches; `None`: all.
    pub properties: Option<Vec<PropertyId>>,
    /// Where it is written.
    pub span: Span,
}

/// Who made an assumption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The file or the command line, as a sentence about the world: a *holds* under it can still
    /// be [`Strength::Proved`](crate::Strength::Proved).
    Stated,
    /// The file or the command line, as a bound on numbers: a *holds* within it is
    /// [`Strength::Exhausted`](crate::Strength::Exhausted).
    Bound,
    /// Probity itself, as part of what the language means: does not weaken a verdict.
    Semantics,
    /// Probity itself, to make the problem smaller: a *holds* under it is
    /// [`Strength::Sampled`](crate::Strength::Sampled), if an engine tries samples only.
    Sample,
    /// Probity itself: of what may be, the program has only a part, whichever engine looks at it. A
    /// property that names such an assumption never *holds*.
    Narrowed,
    /// The command line: a part of the question is asked here, and the others elsewhere.
    Cube,
}

/// What assertions are about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// A name for people.
    pub name: String,
    /// What a failure means, for people.
    pub failure: String,
    /// Where it is stated.
    pub span: Span,
}

/// Something to be verified.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its text, as written.
    pub text: String,
    /// Where.
    pub span: Span,
    /// What is claimed.
    pub claim: Claim,
    /// If this never holds at the end of a macro step, a *holds* is vacuous.
    pub trigger: Option<ExprId>,
    /// Observers that work for this property only; those that are nobody's work for all.
    pub observers: Vec<ObserverId>,
    /// The assumptions under which it is judged.
    pub assumptions: Vec<AssumptionId>,
}

/// What a property claims.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    /// No assertion of this check fails.
    Check(CheckId),
    /// Holds at every stable state.
    Always(ExprId),
    /// Every fair run satisfies the formula; atoms are read at the end of each macro step.
    Ltl(Ltl<ExprId>),
    /// Every initial state from which there is a fair run satisfies the formula over fair runs.
    /// Inputs belong to steps: what is said of a state is said whatever they are.
    Ctl(Ctl<ExprId>),
    /// Every initial state satisfies the formula, which is about the graph of states as it is: a
    /// state without transitions has none, and fairness plays no part.
    Mu(MuFormula),
    /// The automaton accepts no fair run; letters as for `Ltl`: the initial state, then the end of
    /// each macro step.
    Never(Buchi<ExprId>),
    /// No claim but a question: how many steps it takes from a state that satisfies the first
    /// formula to one that satisfies the second. States count that can be reached and from which
    /// there is a fair run; the answer is [`Verdict::Measured`](crate::Verdict::Measured).
    Distance {
        /// The most steps that the second can be avoided, not the least that it takes.
        longest: bool,
        /// Where it begins.
        from: Ctl<ExprId>,
        /// Where it ends.
        to: Ctl<ExprId>,
    },
    /// No list grows without bound.
    Bounded(Growth),
    /// No run ends where it may not.
    NoDeadlock,
    /// No fault of these kinds is raised.
    NoFault(Vec<FaultId>),
    /// No macro step goes on for ever.
    Returns,
    /// No configuration of the [program over structures](crate::predicates) gives this message.
    Silent(MessageId),
    /// The automaton accepts no run through configurations. A letter says which formulas, without
    /// free variables, hold in a configuration; the first is the initial one. Whose turn it is belongs
    /// to the step that follows: a run ends only where nobody can go on, and then nothing changes any
    /// more for ever.
    Configurations(Buchi<Formula>),
    /// Something that can be stated, but that nobody here can answer yet; says what. It is *not
    /// known*, always.
    Open(String),
}
