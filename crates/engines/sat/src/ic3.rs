//! IC3, property directed reachability: proofs and counterexamples without unrolling.
//!
//! Bradley: *SAT-based model checking without unrolling* (2011); Eén, Mishchenko, Brayton:
//! *Efficient implementation of property directed reachability* (2011). Frame `i` is a set of
//! clauses that hold in all states that `i` steps can reach; a state from which something bad is
//! reached is shown to be unreachable within `i` steps by clauses that are inductive relative to
//! the frame before. Two neighbouring frames that are equal are an invariant.
//!
//! - Clauses speak of *signals*: latches, and predicates over latches that the caller names.
//!   A predicate is a gate of the circuit now, and the same gate over the next values after the
//!   step, so no frame can contradict what it means (compare Dureja, Gurfinkel, Ivrii, Vizel:
//!   *IC3 with internal signals*, 2021).
//! - One solver a frame; each question decides only on the cone of what it asks.
//! - Where there are predicates, what excludes a state is first [looked for in words](say). Where
//!   words do not suffice, [relations](crate::relations) may be worth a new beginning.
//! - A predecessor is widened by [justification](lift), then blocked and
//!   [generalised](generalise).
//! - Obligations are taken up again in later frames, so counterexamples may be longer than the
//!   number of frames.

mod abstraction;
mod cube;
mod frames;
mod generalise;
mod lift;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use circuit::Lit;
use model::{Progress, Statistics, UnknownReason};

use crate::certificate::Invariant;
use crate::relations::{Refinement, Relations, Spurious};
use crate::system::{Rank, System};
use solver::{Limits, MakeSolver};

use cube::{Cube, SignalValue};
use frames::{Frames, Relative};
use generalise::EFFORT;
use lift::Lifter;

/// Steps of a spurious path that are looked at.
const LONGEST: usize = 12;

/// What IC3 found.
pub(crate) enum Conclusion {
    /// Nothing bad is reachable; clauses over the signals of the system.
    Safe(Vec<Cube>),
    /// A run: its first state, and the inputs.
    Unsafe {
        initial: Vec<bool>,
        inputs: Vec<Vec<bool>>,
    },
    /// Predicates do not suffice: with others as well it is worth beginning anew.
    Refine(Refinement),
}

/// A set of states that must be shown unreachable in so many steps.
struct Obligation {
    cube: Cube,
    /// One of them, which the frame that it was found in contains.
    state: Vec<bool>,
    /// Saying in words why it is unreachable has failed.
    abstraction_failed: bool,
    /// Under these, each of its states steps into the one after it, or is bad.
    inputs: Vec<bool>,
    after: Option<usize>,
}

/// One run of IC3.
pub(crate) struct Ic3<'s, M: MakeSolver> {
    system: &'s System,
    frames: Frames<'s, M>,
    lifter: Lifter<'s>,
    /// Per signal: how often it was of use lately.
    activity: Vec<f64>,
    bump: f64,
    /// How often words sufficed, and how often not.
    said: (u32, u32),
    /// What might become a predicate, and the states that call for that.
    relations: Option<&'s Relations<'s>>,
    spurious: Spurious,
}

impl<'s, M: MakeSolver> Ic3<'s, M> {
    pub(crate) fn new(system: &'s System, make: &M, limits: Limits<'s>) -> Self {
        Ic3 {
            system,
            frames: Frames::new(system, make.clone(), limits),
            lifter: Lifter::new(system),
            activity: vec![0.0; system.signals.len()],
            bump: 1.0,
            said: (0, 0),
            relations: None,
            spurious: Spurious::default(),
        }
    }

    /// Ends with [`Conclusion::Refine`] where these relations would help.
    pub(crate) fn refining(self, relations: Option<&'s Relations<'s>>) -> Self {
        Ic3 { relations, ..self }
    }

    /// What an obligation calls for whose state words could not exclude, and bits did.
    fn refinement(
        &mut self,
        obligations: &[Obligation],
        number: usize,
        core: &[SignalValue],
    ) -> Option<Refinement> {
        let is_data = |l: &SignalValue| self.system.signals[l.signal()].rank == Rank::Data;
        if !core.iter().any(is_data) {
            return None;
        }
        let mut steps = Vec::new();
        let mut next = Some(number);
        while let Some(Obligation {
            state,
            inputs,
            after,
            ..
        }) = next.map(|number| &obligations[number])
            && steps.len() < LONGEST
        {
            steps.push((state.clone(), inputs.clone()));
            next = *after;
        }
        self.relations?.note(&mut self.spurious, steps)
    }

    /// How many frames there are: no run of fewer steps reaches anything bad.
    pub(crate) fn frames(&self) -> usize {
        self.frames.top()
    }

    /// Runs to the end. Progress tells of frames as depth, of clauses as states and of questions
    /// as transitions.
    ///
    /// # Errors
    /// If a limit was reached.
    pub(crate) fn run(&mut self, progress: &dyn Progress) -> Result<Conclusion, UnknownReason> {
        loop {
            while let Some((state, inputs)) = self.frames.bad_state()? {
                let cube = self.lifter.lift(&self.system.bad, &state, &inputs);
                if let Some(run) = self.block(Obligation {
                    cube,
                    state,
                    abstraction_failed: false,
                    inputs,
                    after: None,
                })? {
                    return Ok(run);
                }
            }
            let statistics = Statistics {
                states: self.frames.cube_count() as u64,
                transitions: self.frames.questions,
                depth: self.frames.top() as u64,
                memory: self.frames.memory(),
                ..Statistics::default()
            };
            progress.report(&statistics, 0);
            self.frames.grow();
            if let Some(level) = self.push_forward()? {
                return Ok(Conclusion::Safe(self.frames.above(level)));
            }
        }
    }

    /// Shows that a set of states is unreachable within the present number of steps, or finds a
    /// run into it.
    fn block(&mut self, first: Obligation) -> Result<Option<Conclusion>, UnknownReason> {
        let mut obligations = vec![first];
        let mut queue = BinaryHeap::new();
        queue.push((Reverse(self.frames.top()), 0));
        while let Some((Reverse(level), number)) = queue.pop() {
            let cube = obligations[number].cube.clone();
            if self.frames.intersects_initial(&cube)? {
                return self.run_from(&obligations, number).map(Some);
            }
            if self.frames.is_blocked(&cube, level) {
                if level < self.frames.top() {
                    queue.push((Reverse(level + 1), number));
                }
                continue;
            }
            if !obligations[number].abstraction_failed {
                if self.exclude_abstractly(level, &obligations[number])? {
                    // The state is excluded, if not all of its cube: whoever led here asks again.
                    continue;
                }
                obligations[number].abstraction_failed = true;
            }
            let ordered = self.ordered(&cube);
            match self.frames.relative(level, &ordered, true, u64::MAX)? {
                Relative::TooHard => unreachable!("there was no limit"),
                Relative::Predecessor { state, inputs } => {
                    let target = self.lifter.targets(&cube);
                    let cube = self.lifter.lift(&target, &state, &inputs);
                    obligations.push(Obligation {
                        cube,
                        state,
                        abstraction_failed: false,
                        inputs,
                        after: Some(number),
                    });
                    queue.push((Reverse(level), number));
                    queue.push((Reverse(level - 1), obligations.len() - 1));
                }
                Relative::Inductive(core) => {
                    if let Some(chosen) = self.refinement(&obligations, number, &core) {
                        return Ok(Some(Conclusion::Refine(chosen)));
                    }
                    let level = self.learn(level, &cube, &core)?;
                    if level < self.frames.top() {
                        queue.push((Reverse(level + 1), number));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The run that starts in an obligation's cube.
    fn run_from(
        &mut self,
        obligations: &[Obligation],
        number: usize,
    ) -> Result<Conclusion, UnknownReason> {
        let initial = self.frames.initial_state(&obligations[number].cube)?;
        let mut inputs = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next {
            inputs.push(obligations[number].inputs.clone());
            next = obligations[number].after;
        }
        Ok(Conclusion::Unsafe { initial, inputs })
    }

    /// Tries each clause in the next frame; the level whose clauses all moved, if there is one.
    fn push_forward(&mut self) -> Result<Option<usize>, UnknownReason> {
        for level in 1..self.frames.top() {
            for cube in self.frames.at(level) {
                if !self.frames.has(level, &cube) {
                    continue;
                }
                if let Relative::Inductive(core) =
                    self.frames
                        .relative(level + 1, &cube.literals, false, 10 * EFFORT)?
                {
                    self.frames.add(level + 1, Cube::new(core));
                }
            }
            if self.frames.is_empty(level) {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    fn bump(&mut self, cube: &Cube) {
        for literal in &cube.literals {
            self.activity[literal.signal()] += self.bump;
        }
        self.bump *= 1.05;
        if self.bump > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.bump *= 1e-100;
        }
    }
}

/// The invariant in the literals of the whole circuit.
pub(crate) fn invariant(system: &System, cubes: &[Cube]) -> Invariant {
    let clause = |cube: &Cube| -> Vec<Lit> {
        let literals = cube.literals.iter();
        literals
            .map(|l| system.signals[l.signal()].origin.invert_if(l.value()))
            .collect()
    };
    Invariant {
        graph: None,
        clauses: system
            .background()
            .chain(cubes.iter().map(clause))
            .collect(),
        depth: 0,
    }
}
