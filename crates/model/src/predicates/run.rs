//! Runs of programs over structures as traces, and how they are replayed.
//!
//! The initial choices of a trace are the number of the initial structure, how many individuals each
//! of its own stands for, and the values chosen. A step has one move of one part: the instance is the
//! individual that moves, if any, the step the action; its choices are the individuals of its free
//! variables, and the values chosen.

use thiserror::Error;

use super::PredicateProgram;
use super::concrete::{Concrete, Taken};
use super::structure::Structure;
use crate::ids::{MessageId, StepId};
use crate::trace::{Action, MacroStep, Move, Part, Trace};
use crate::value::Value;

/// A run that has been replayed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PredicateRun {
    /// Where it begins.
    pub initial: Structure,
    /// What its individuals are called there.
    pub names: Vec<String>,
    /// Its steps.
    pub steps: Vec<Taken>,
    /// What reports the message at its end: the action, and the individuals of its free variables.
    /// It is the last step, or one that can be taken then.
    pub ends: (usize, Vec<usize>),
    /// What the individuals of `ends` are called.
    pub end_names: Vec<String>,
}

/// Why a trace is no run that ends with a message.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RunError {
    /// It does not begin as the program does.
    #[error("it does not begin where the program does")]
    Initial,
    /// This step, from 1, cannot be taken.
    #[error("step {0} cannot be taken")]
    Step(usize),
    /// At its end nothing is reported; of a run that never ends, the property holds.
    #[error("nothing is wrong with it")]
    Silent,
    /// It was to go on for ever.
    #[error("it does not go on for ever")]
    Open,
    /// It passes over a thread for ever that can always go on.
    #[error("it passes over a thread for ever")]
    Unfair,
}

impl PredicateRun {
    /// A run as a trace.
    #[must_use]
    pub fn trace(
        program: &PredicateProgram,
        (number, counts, choices): (usize, &[usize], &[bool]),
        steps: &[Taken],
    ) -> Trace {
        let int = |number: usize| Value::Int(number as i128);
        let mut initial = vec![int(number)];
        initial.extend(counts.iter().map(|&count| int(count)));
        initial.extend(choices.iter().map(|&choice| Value::Bool(choice)));
        let steps = steps.iter().map(|step| {
            let mut choices: Vec<Value> = step.assignment.iter().map(|&one| int(one)).collect();
            choices.extend(step.choices.iter().map(|&choice| Value::Bool(choice)));
            let scheduled = program.actions[step.action].scheduled;
            let instance = scheduled.map_or(0, |variable| step.assignment[variable]);
            let part = Part {
                instance: u32::try_from(instance).expect("a configuration is small"),
                action: Action::Step(StepId::new(step.action)),
            };
            MacroStep {
                moves: vec![Move {
                    parts: vec![part],
                    choices,
                }],
            }
        });
        Trace {
            initial,
            steps: steps.collect(),
            loop_start: None,
        }
    }

    /// Replays a trace on the [interpreter](Concrete).
    ///
    /// # Errors
    /// If it is no run of the program that ends with the message.
    pub fn replay(
        program: &PredicateProgram,
        trace: &Trace,
        message: MessageId,
    ) -> Result<PredicateRun, RunError> {
        let (initial, names, steps) = Self::steps_of(program, trace)?;
        let mut called = names.clone();
        let mut before = called.clone();
        for taken in &steps {
            before = std::mem::take(&mut called);
            called = program.names_after(&before, taken);
        }
        let last = steps.last();
        let last = last.filter(|taken| taken.reported_after.contains(&message));
        let (ends, end_names) = match last {
            Some(taken) => ((taken.action, taken.assignment.clone()), before),
            None => {
                let state = steps.last().map_or(&initial, |taken| &taken.state);
                let ends = Concrete::new(program).report(state, message);
                (ends.ok_or(RunError::Silent)?, called)
            }
        };
        Ok(PredicateRun {
            initial,
            names,
            steps,
            ends,
            end_names,
        })
    }

    /// Where a trace begins, what the individuals are called there, and its steps.
    pub(super) fn steps_of(
        program: &PredicateProgram,
        trace: &Trace,
    ) -> Result<(Structure, Vec<String>, Vec<Taken>), RunError> {
        let concrete = Concrete::new(program);
        let (numbers, choices) = split(&trace.initial).ok_or(RunError::Initial)?;
        let (&number, counts) = numbers.split_first().ok_or(RunError::Initial)?;
        let initial = concrete.accept_initial(number, counts, &choices);
        let initial = initial.ok_or(RunError::Initial)?;
        let mut steps: Vec<Taken> = Vec::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let state = steps.last().map_or(&initial, |taken| &taken.state);
            steps.push(taken(&concrete, state, step).ok_or(RunError::Step(index + 1))?);
        }
        Ok((initial, program.names(number, counts), steps))
    }
}

fn taken(concrete: &Concrete<'_>, state: &Structure, step: &MacroStep) -> Option<Taken> {
    let [only] = step.moves.as_slice() else {
        return None;
    };
    let [part] = only.parts.as_slice() else {
        return None;
    };
    let Action::Step(action) = part.action else {
        return None;
    };
    let (assignment, choices) = split(&only.choices)?;
    concrete.accept(state, action.index(), &assignment, &choices)
}

/// Numbers, and truth values behind them.
fn split(values: &[Value]) -> Option<(Vec<usize>, Vec<bool>)> {
    let mut numbers = Vec::new();
    let mut choices = Vec::new();
    for value in values {
        match value {
            Value::Int(number) if choices.is_empty() => {
                numbers.push(usize::try_from(*number).ok()?);
            }
            Value::Bool(choice) => choices.push(*choice),
            _ => return None,
        }
    }
    Some((numbers, choices))
}
