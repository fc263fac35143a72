//! What verification says of each property.

use std::sync::Arc;

use model::interp::Replay;
use model::predicates::Way;
use model::{Program, PropertyId, Statistics, UnknownReason, Verdict};

use crate::engine::Engine;
use crate::evidence::Evidence;
use crate::failures::Failure;
use crate::sampled::Sampled;

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The property.
    pub property: PropertyId,
    /// The answer.
    pub verdict: Verdict,
    /// The engine that gave it.
    pub engine: Engine,
    /// What the engine did. Properties that shared an exploration have the same figures.
    pub statistics: Statistics,
    /// How many properties shared the exploration.
    pub shared_by: usize,
    /// Whether states were left out in finding the counterexample, so that there may be a shorter
    /// one.
    pub may_be_shorter: bool,
    /// What the passes did, in order.
    pub passes: Vec<PassSizes>,
    /// The counterexample, replayed, where there is one.
    pub replay: Option<Replay>,
    /// Whether an inductive invariant that proves it was audited.
    pub audited: Audited,
    /// What that invariant says, for people.
    pub facts: Vec<String>,
    /// What proves it, where that can be kept.
    pub evidence: Option<Evidence>,
    /// Of a program over structures, where no run is known: the way through structures that may be
    /// one.
    pub way: Option<Way>,
    /// With [`Options::all_errors`](crate::Options::all_errors): the failures in other places.
    pub others: Vec<Failure>,
    /// Whether there may be more of them.
    pub others_cut: bool,
    /// Where only samples were looked at: of what.
    pub sampled: Sampled,
    /// The [coarser program](model::Program::coarse) that gave the answer, if the program itself did
    /// not: runs and assumptions are of that one.
    pub program: Option<Arc<Program>>,
}

impl Outcome {
    /// No answer, because Probity itself went wrong.
    #[must_use]
    pub fn defective(property: PropertyId) -> Self {
        Outcome::unknown(property, Engine::Explicit, UnknownReason::Defect)
    }

    /// No answer of an engine.
    #[must_use]
    pub fn unknown(property: PropertyId, engine: Engine, reason: UnknownReason) -> Self {
        Outcome {
            property,
            verdict: Verdict::Unknown {
                reason,
                possible: None,
            },
            engine,
            statistics: Statistics::default(),
            shared_by: 1,
            may_be_shorter: false,
            passes: Vec::new(),
            replay: None,
            audited: Audited::Nothing,
            facts: Vec::new(),
            evidence: None,
            way: None,
            others: Vec::new(),
            others_cut: false,
            sampled: Sampled::default(),
            program: None,
        }
    }
}

/// Whether what proves a property was checked by code that shares nothing with what found it, on
/// the program before passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Audited {
    /// There is nothing to be audited: no invariant was needed.
    Nothing,
    /// It was, and is right.
    Yes,
    /// It was not, for this reason: the engine's own check is all there is.
    Not(String),
}

/// The size of a program before and after a pass.
#[derive(Clone, Debug)]
pub struct PassSizes {
    /// The pass.
    pub pass: &'static str,
    /// Before.
    pub before: Sizes,
    /// After.
    pub after: Sizes,
}

impl PassSizes {
    /// What a pass of this name has done.
    pub(crate) fn new(pass: &'static str, before: passes::Sizes, after: passes::Sizes) -> Self {
        let sizes = |sizes: passes::Sizes| Sizes {
            variables: sizes.variables,
            bits: usize::try_from(sizes.bits).unwrap_or(usize::MAX),
            steps: sizes.steps,
            statements: sizes.statements,
            choices: sizes.choices,
        };
        PassSizes {
            pass,
            before: sizes(before),
            after: sizes(after),
        }
    }
}

/// The size of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Variables that some statement writes.
    pub variables: usize,
    /// Bits of a packed stored state.
    pub bits: usize,
    /// Steps whose guard is not constantly false.
    pub steps: usize,
    /// Statements.
    pub statements: usize,
    /// Open choices.
    pub choices: usize,
}
