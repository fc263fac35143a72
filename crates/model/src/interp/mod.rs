//! The reference interpreter: walks the program as data, slowly and obviously.
//!
//! It *is* the semantics. It enumerates what can happen ([`Interp::expand`]) and accepts what is
//! said to have happened ([`Interp::replay`]); simulators use it, every counterexample is replayed
//! on it, and every engine is compared with it. Where a question can be answered by trying
//! everything, it tries everything.

mod eval;
mod exec;
mod fairness;
mod initial;
mod macro_step;
mod members;
mod moves;
mod only_values;
mod oracle;
mod pages;
mod regardless;
mod replay;
mod settled;
mod sleepers;
mod state;
mod synchronous;

use std::sync::{Arc, Mutex, OnceLock};

use source::Span;

pub use eval::Trouble;
pub use macro_step::Expansion;
pub use moves::Parts;
pub use pages::Pages;
pub use replay::{Gap, Replay, ReplayError, ReplayedStep};
pub use state::{Call, Instance, Object, Queue, State};

use self::settled::Settled;
use self::sleepers::{Control, Sleepers};
use crate::budget::Budget;
use crate::graph::Label;
use crate::ids::{CheckId, EventId, ExprId, FaultId, OutsideId};
use crate::program::{Program, VariableKind};
use crate::trace::{MacroStep, Part};
use crate::types::Type;
use crate::value::Value;

/// The interpreter of one program.
pub struct Interp<'p> {
    program: &'p Program,
    /// The first values of the global variables.
    first: Pages<Value>,
    /// Inner states of one macro step before it is given up.
    micro_steps: u64,
    /// When to give up.
    budget: Option<Budget>,
    /// Whether macro steps with different events are kept apart.
    labelled: bool,
    /// Whether some values stand for a choice that is too wide to list.
    sampling: bool,
    /// Where all variables move at once: what is chosen in each step.
    at_once: OnceLock<Vec<(crate::GlobalId, crate::Choice)>>,
    /// What the choices of the state that was asked about last can only be.
    settled: Mutex<Settled>,
    /// The variables that live within macro steps.
    fleeting: Vec<usize>,
    /// What is offered where.
    control: Arc<OnceLock<Control>>,
    /// Who sleeps in the state that was asked about last.
    sleepers: Arc<Mutex<Sleepers>>,
    /// How many instances, or variables, there have to be for that.
    many: usize,
}

/// A macro step and where it ends.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The moves.
    pub step: MacroStep,
    /// The state at the end, step variables as they are there.
    pub state: State,
    /// What happens on the way; empty unless [asked for](Interp::with_labels).
    pub label: Label,
}

/// Something that happens within a macro step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// An instance takes a step.
    Step {
        /// Who, and which.
        part: Part,
        /// The part of the script.
        span: Span,
    },
    /// A micro event.
    Event {
        /// Its kind.
        event: EventId,
        /// Its arguments.
        args: Vec<Value>,
        /// Where it happens.
        span: Span,
    },
    /// A value from outside is chosen.
    Chosen {
        /// What decides it.
        outside: OutsideId,
        /// The type of the place where it goes.
        ty: Type,
        /// The value.
        value: Value,
    },
    /// A check fails.
    Failed {
        /// The check.
        check: CheckId,
        /// Where it is stated.
        span: Span,
    },
    /// A fault is raised.
    Fault {
        /// Its kind.
        fault: FaultId,
        /// Whose.
        instance: u32,
        /// The part of the script.
        span: Span,
    },
}

/// What can go wrong within a macro step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// A failed check.
    Check(CheckId),
    /// A fault.
    Fault(FaultId),
}

/// Why the interpreter stops without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A mathematical integer left 128 bits.
    Overflow,
    /// A macro step took more inner states than the budget allows.
    StepBudget,
    /// The moment to give up has passed.
    Time,
    /// A choice is among more values than can be listed.
    TooWide,
}

impl<'p> Interp<'p> {
    /// The interpreter of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let mut interp = Interp {
            program,
            first: Pages::default(),
            micro_steps: 100_000,
            budget: None,
            labelled: false,
            sampling: false,
            at_once: OnceLock::new(),
            settled: Mutex::default(),
            fleeting: (0..program.globals.len())
                .filter(|&at| program.globals[at].kind == VariableKind::Step)
                .collect(),
            control: Arc::default(),
            sleepers: Arc::default(),
            many: sleepers::MANY,
        };
        // Only step variables need them, and there may be very many initial states.
        let mut fleeting = interp.fleeting.iter();
        let needed = fleeting.any(|&at| program.globals[at].init.is_some());
        let first = if needed { interp.an_initial() } else { None };
        interp.first = match first {
            Some(state) => state.globals,
            None => program
                .globals
                .iter()
                .map(|variable| program.zero(&variable.ty))
                .collect(),
        };
        interp
    }

    /// The interpreter of a program that has been made from another one: of `program`, with the same
    /// steps at the same places, the same variables and expressions, and perhaps more of both.
    /// Guards may be stronger in it, and what steps do may differ. Where steps begin, and who cannot
    /// take any, is looked up in what the other interpreter finds.
    #[must_use]
    pub fn beside<'q>(&self, program: &'q Program) -> Interp<'q> {
        self.control();
        let mut first = self.first.clone();
        for variable in &program.globals[first.len()..] {
            first.push(program.zero(&variable.ty));
        }
        Interp {
            program,
            first,
            micro_steps: self.micro_steps,
            budget: self.budget.clone(),
            labelled: self.labelled,
            sampling: self.sampling,
            at_once: OnceLock::new(),
            settled: Mutex::default(),
            fleeting: self.fleeting.clone(),
            control: Arc::clone(&self.control),
            sleepers: Arc::clone(&self.sleepers),
            many: self.many,
        }
    }

    /// Gives up with [`Stop::Time`] when there is much to try and the budget's moment has passed,
    /// or somebody wants it to stop.
    #[must_use]
    pub fn with_budget(mut self, budget: &Budget) -> Self {
        self.budget = Some(budget.clone());
        self
    }

    /// Keeps macro steps apart that differ in their events, and tells these.
    #[must_use]
    pub fn with_labels(mut self) -> Self {
        self.labelled = true;
        self
    }

    /// Takes some values of a choice that is too wide to list, instead of giving up with
    /// [`Stop::TooWide`]; what is found says that it is [sampled](Expansion::sampled).
    #[must_use]
    pub fn with_samples(mut self) -> Self {
        self.sampling = true;
        self
    }

    /// Looks at the clock, now and then.
    pub(crate) fn in_time(&self, tries: &mut u32) -> Result<(), Stop> {
        source::limits::check();
        *tries = tries.wrapping_add(1);
        let late = |budget: &Budget| budget.exhausted(0).is_some();
        if tries.is_multiple_of(8) && self.budget.as_ref().is_some_and(late) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Gives a macro step up after so many inner states.
    #[must_use]
    pub fn with_micro_steps(mut self, limit: u64) -> Self {
        self.micro_steps = limit;
        self
    }

    /// From how many instances on those are remembered that cannot move, and from how many variables that move at
    /// once those that can only get one value. It makes no difference but to time.
    #[must_use]
    pub fn with_sleepers_from(mut self, instances: usize) -> Self {
        self.many = instances;
        self
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state as it is stored and compared: step variables at their first values.
    #[must_use]
    pub fn stored(&self, state: &State) -> State {
        let mut state = state.clone();
        for &at in &self.fleeting {
            state.globals[at] = self.first[at].clone();
        }
        state
    }

    /// Whether a truth expression holds in a state. One that faults does not.
    ///
    /// # Errors
    /// If a mathematical integer leaves 128 bits.
    pub fn holds(&self, state: &State, condition: ExprId) -> Result<bool, Stop> {
        match self.eval(eval::Scope::outside(state), condition) {
            Ok(value) => Ok(value.truth()),
            Err(Trouble::Fault(_)) => Ok(false),
            Err(Trouble::Overflow) => Err(Stop::Overflow),
        }
    }

    /// The value of an expression over global variables, for people; `None` if it faults.
    #[must_use]
    pub fn value(&self, state: &State, expr: ExprId) -> Option<Value> {
        self.eval(eval::Scope::outside(state), expr).ok()
    }

    /// The value of an expression as an instance sees it, for people; `None` if it faults.
    #[must_use]
    pub fn value_of(&self, state: &State, instance: u32, expr: ExprId) -> Option<Value> {
        self.eval(eval::Scope::of(state, instance), expr).ok()
    }

    /// Whether a run may end here without being a deadlock.
    #[must_use]
    pub fn is_valid_end(&self, state: &State) -> bool {
        state.living().all(|(_, instance)| {
            instance.location.is_none_or(|location| {
                self.program.processes[instance.process.index()].locations[location.index()].end
            })
        })
    }
}
