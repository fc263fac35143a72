//! Traces: runs recovered from the stored states that they pass.
//!
//! Exploration stores neither moves nor choices. To tell how one state leads to the next, the
//! macro steps of the one are gone through again with code that logs, until the other is met.

use std::ops::ControlFlow;

use model::{MacroStep, Trace, UnknownReason, Value};

use crate::code::Code;
use crate::engine::Engine;
use crate::expand::{Driver, End, Halt, Sink, initial_states};
use crate::machine::Violation;

/// How a macro step is to end.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// In this state.
    State(Vec<u64>),
    /// In this state, with this letter of so many outcomes, and these steps taken.
    Exactly {
        stored: Vec<u64>,
        letter: u64,
        letters: usize,
        taken: u64,
    },
    /// Where this outcome is true.
    Outcome(usize),
    /// With this, wherever that is.
    Violation(Violation),
}

/// Recovers traces of one program.
pub(crate) struct Recovery<'e, 'p> {
    engine: &'e Engine<'p>,
    code: Code,
}

/// Waits for a goal.
struct Waiting<'g> {
    goal: &'g Goal,
    log: Option<u32>,
}

impl Sink for Waiting<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let met = match self.goal {
            Goal::State(stored) => end.stored == stored,
            Goal::Exactly {
                stored,
                letter,
                letters,
                taken,
            } => {
                end.stored == stored
                    && crate::letters::letter(&end.outcomes[..*letters]) == *letter
                    && end.taken == *taken
            }
            Goal::Outcome(index) => end.outcomes[*index] != 0,
            Goal::Violation(_) => false,
        };
        if met {
            self.log = Some(end.log);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, log: u32) -> ControlFlow<()> {
        if matches!(self.goal, Goal::Violation(wanted) if *wanted == violation) {
            self.log = Some(log);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<'e, 'p> Recovery<'e, 'p> {
    pub(crate) fn new(engine: &'e Engine<'p>) -> Result<Self, UnknownReason> {
        Ok(Recovery {
            engine,
            code: engine.logging()?,
        })
    }

    /// The run from an initial state along the goals, each reached from where the one before is.
    pub(crate) fn run(&self, start: &[u64], goals: &[Goal]) -> Result<Trace, UnknownReason> {
        let mut driver = self.engine.logging_driver(&self.code);
        let initial = self.initial(&mut driver, start)?;
        let mut steps = Vec::new();
        let mut from = start.to_vec();
        for goal in goals {
            steps.push(self.step(&mut driver, &from, goal)?);
            if let Goal::State(stored) | Goal::Exactly { stored, .. } = goal {
                from.clone_from(stored);
            }
        }
        Ok(Trace {
            initial,
            steps,
            loop_start: None,
        })
    }

    fn initial(&self, driver: &mut Driver<'_>, start: &[u64]) -> Result<Vec<Value>, UnknownReason> {
        let states = initial_states(&mut driver.machine, &self.engine.layout)?;
        let mut stored = vec![0; self.engine.packing.words];
        for (state, log) in states {
            self.engine.packing.pack(&state, &mut stored);
            if stored == start {
                return Ok(driver
                    .machine
                    .log
                    .read(log, self.engine.program, &self.code)
                    .0);
            }
        }
        Err(lost())
    }

    fn step(
        &self,
        driver: &mut Driver<'_>,
        from: &[u64],
        goal: &Goal,
    ) -> Result<MacroStep, UnknownReason> {
        let mut waiting = Waiting { goal, log: None };
        match driver.expand(from, &mut waiting) {
            Err(Halt::Stop(reason)) => return Err(reason),
            Err(Halt::Enough) | Ok(_) => {}
        }
        let log = waiting.log.ok_or_else(lost)?;
        let (_, moves) = driver
            .machine
            .log
            .read(log, self.engine.program, &self.code);
        Ok(MacroStep { moves })
    }
}

fn lost() -> UnknownReason {
    UnknownReason::NotReplayed("the engine did not find its own run again".to_owned())
}
