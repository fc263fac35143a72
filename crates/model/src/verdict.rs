//! Queries and their answers.

use source::Span;
use std::sync::Arc;
use std::time::Duration;

use logic::Buchi;

use crate::ids::{AssumptionId, CheckId, ExprId, FaultId, OutsideId};
use crate::trace::Trace;

/// All that engines see of a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Query {
    /// Can something bad be reached? Safety.
    Unreachable(Bad),
    /// Is there a run, fair under the program's fairness, that the automaton accepts? The
    /// automaton stands for the *negation* of the property.
    NoAcceptedRun(Buchi<ExprId>),
    /// Only counts: states, transitions, steps never taken.
    Explore,
}

/// What must not be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bad {
    /// A failed assertion of this check.
    Check(CheckId),
    /// A stable state, or the end of a macro step, where this holds.
    State(ExprId),
    /// A state without successors that is not a valid end.
    Deadlock,
    /// One of these faults.
    Fault(Vec<FaultId>),
    /// A macro step that goes on for ever.
    Divergence,
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The property holds.
    Holds {
        /// How far.
        strength: Strength,
        /// Under which assumptions.
        assumptions: Vec<AssumptionId>,
    },
    /// The property holds for a reason that should worry its author.
    Vacuous {
        /// Why.
        reason: VacuousReason,
    },
    /// What was asked for is a number, and this is it.
    Measured {
        /// The number.
        distance: Distance,
    },
    /// The property fails, and this is a run that shows it, replayed on the interpreter.
    Fails {
        /// The run.
        trace: Arc<Trace>,
    },
    /// Not known.
    Unknown {
        /// Why.
        reason: UnknownReason,
        /// A run that an abstraction could not confirm, if that is why.
        possible: Option<Arc<Trace>>,
    },
}

/// How far it is from some states to others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Distance {
    /// So many steps.
    Steps(u64),
    /// There is no way; or, of the longest, one on which they are avoided for ever.
    Infinite,
}

/// How far a *holds* reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Representatives of wide choices only: strictly *not known*, with what it did reach.
    Sampled,
    /// Runs of up to so many steps.
    Bounded(u32),
    /// Every reachable state within bounds that the file or the command line states.
    Exhausted,
    /// All behaviours, by a proof that could not be checked anew.
    Unchecked,
    /// All behaviours.
    Proved,
}

/// Why a property holds that says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VacuousReason {
    /// What the property is about never happens.
    NeverTriggered,
    /// No run is fair.
    NoFairRun,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// States could not be written to disk or read from there; says why.
    Disk(String),
    /// Stopped by the user.
    Interrupted,
    /// A macro step took more micro steps than the budget allows.
    StepBudget,
    /// A mathematical integer left 128 bits, or an engine's own range for them.
    Overflow,
    /// The engine cannot do something that the program needs; says what.
    Unsupported(String),
    /// The engine's counterexample was not accepted by the interpreter: a defect of ours.
    NotReplayed(String),
    /// Two engines contradict each other: a defect of ours. Says who said what.
    Contradiction(String),
    /// The engine's invariant was not accepted when it was audited: a defect of ours. Says why.
    NotAudited(String),
    /// The engine, or what is around it, ended in the middle of its work: a defect of ours.
    Defect,
    /// Another property failed, and no more was to be asked.
    AnotherFailed,
    /// A list becomes as long as it may, but no run was found that can be repeated for ever.
    Unrepeatable,
    /// A structure that stands for many configurations may fail, but no run that does was found; what
    /// was looked for.
    Abstraction(String),
    /// An option asks for what no engine does for such a program; says what.
    Option(String),
    /// Only representatives were looked at.
    Sampled,
    /// All that the program can do was looked at, but it does only a part of what may be: these assumptions
    /// say what is left out.
    LeftOut(Vec<AssumptionId>),
    /// Every failure found depends on one of these values, which may not be able to occur.
    Undecided(Vec<OutsideId>),
    /// It fails in the [coarser program](crate::Program::coarse), at this place, but no run of the
    /// program itself was found that does.
    Suspected(Span),
    /// Only runs of so many steps were looked at.
    Bound(u32),
}

/// What an engine did.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Statistics {
    /// Stored states (of the product with an automaton, where there is one).
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// The longest distance from an initial state that was looked at, in macro steps.
    pub depth: u64,
    /// Bytes of one stored state.
    pub state_bytes: u64,
    /// Memory for states, in bytes.
    pub memory: u64,
    /// The most bytes that were on disk at a time, if states were there.
    pub disk: u64,
    /// How states were stored, in one word; empty if none were.
    pub storage: &'static str,
    /// How many states have probably been taken for others and left out.
    pub omitted: f64,
    /// By what rule states were left out that make no difference; empty if none were.
    pub reduction: &'static str,
    /// Wall time.
    pub time: Duration,
    /// The searches for states, one after the other, where they are told apart from what is made of what
    /// they find.
    pub explorations: Vec<Exploration>,
}

/// A search for states.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// How states are kept, in one word.
    pub how: &'static str,
    /// How many were found.
    pub states: u64,
    /// Wall time.
    pub time: Duration,
}

/// Is told how work goes on, now and then.
pub trait Progress: Sync {
    /// What there is so far, and how many states wait to be looked at.
    fn report(&self, statistics: &Statistics, waiting: u64);

    /// That nothing goes on, since others who work on the same have not come as far: their numbers.
    fn waits_for(&self, _others: &[usize]) {}

    /// One of several engines that work side by side begins.
    fn begins(&self, _engine: &'static str) {}

    /// The same as [`Progress::report`], of that engine alone.
    fn report_of(&self, _engine: &'static str, statistics: &Statistics, waiting: u64) {
        self.report(statistics, waiting);
    }

    /// That engine has ended.
    fn ends(&self, _engine: &'static str) {}
}

/// Tells for one engine of several, as long as it is at work.
pub struct OfEngine<'p> {
    engine: &'static str,
    progress: &'p dyn Progress,
}

impl<'p> OfEngine<'p> {
    /// The engine of that name begins; it ends when this is dropped.
    #[must_use]
    pub fn begin(engine: &'static str, progress: &'p dyn Progress) -> OfEngine<'p> {
        progress.begins(engine);
        OfEngine { engine, progress }
    }
}

impl Progress for OfEngine<'_> {
    fn report(&self, statistics: &Statistics, waiting: u64) {
        self.progress.report_of(self.engine, statistics, waiting);
    }

    fn waits_for(&self, others: &[usize]) {
        self.progress.waits_for(others);
    }
}

impl Drop for OfEngine<'_> {
    fn drop(&mut self) {
        self.progress.ends(self.engine);
    }
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: &Statistics, _: u64) {}
}
