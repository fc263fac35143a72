//! Traces: runs recovered from the stored states that they pass.
//!
//! Exploration stores neither moves nor choices. To tell how one state leads to the next, the
//! macro steps of the one are gone through again with code that logs, until the other is met.

use std::ops::ControlFlow;

use model::{MacroStep, Trace, UnknownReason, Value};

use crate::engine::{Compiled, Engine};
use crate::liveness::automaton_labels::Letter;
use crate::reduction::symmetry::Symmetry;
use crate::successors::expander::{Driver, End, Halt, Sink, initial_states};
use crate::vm::machine::Violation;

/// How a macro step is to end.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// In this state.
    State(Vec<u64>),
    /// In this state, with this letter of so many outcomes, and these steps taken.
    Exactly {
        stored: Vec<u64>,
        letter: Letter,
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
    compiled: Compiled,
}

/// Waits for a goal.
struct Waiting<'g> {
    goal: &'g Goal,
    log: Option<u32>,
    /// Gives the state that stands for one.
    symmetry: Option<Symmetry>,
    /// The state where the goal was met, as it really is.
    end: Vec<u64>,
    scratch: Vec<u64>,
    /// Whether a step that changes nothing is no step.
    moves: Option<&'g [u64]>,
}

impl Waiting<'_> {
    /// Whether a state is one of those that the wanted one stands for.
    fn is(&mut self, stored: &[u64], wanted: &[u64]) -> bool {
        if self.moves == Some(stored) {
            return false;
        }
        let Some(symmetry) = &mut self.symmetry else {
            return stored == wanted;
        };
        self.scratch.clear();
        self.scratch.extend_from_slice(stored);
        symmetry.sort(&mut self.scratch);
        self.scratch == wanted
    }

    /// Whether something went wrong like this. Whose text it was may differ for instances that
    /// may be exchanged.
    fn is_violation(&self, violation: Violation, wanted: Violation) -> bool {
        let likewise = match (violation, wanted) {
            (Violation::Check(a, _), Violation::Check(b, _)) => a == b,
            (Violation::Fault(a, _), Violation::Fault(b, _)) => a == b,
            _ => false,
        };
        violation == wanted || likewise && self.symmetry.is_some()
    }
}

impl Sink for Waiting<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let met = match self.goal {
            Goal::State(stored) => self.is(end.stored, stored),
            Goal::Exactly {
                stored,
                letter,
                letters,
                taken,
            } => {
                end.stored == stored
                    && crate::liveness::automaton_labels::letter(&end.outcomes[..*letters])
                        == *letter
                    && end.taken == *taken
            }
            Goal::Outcome(index) => end.outcomes[*index] != 0,
            Goal::Violation(_) => false,
        };
        if met {
            self.end.extend_from_slice(end.stored);
            self.log = Some(end.log);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, log: u32) -> ControlFlow<()> {
        if matches!(self.goal, Goal::Violation(wanted) if self.is_violation(violation, *wanted)) {
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
            compiled: engine.logging()?,
        })
    }

    /// The run from an initial state along the goals, each reached from where the one before is. One
    /// goal at a time is kept.
    pub(crate) fn run(
        &self,
        start: &[u64],
        goals: impl IntoIterator<Item = Goal>,
    ) -> Result<Trace, UnknownReason> {
        let mut driver = self.engine.logging_driver(&self.compiled);
        let (initial, mut from) = self.initial(&mut driver, start)?;
        let mut steps = Vec::new();
        // Each goes away once.
        let mut departures = self.engine.layout.positions.len();
        let mut ends_anywhere = true;
        for goal in goals {
            ends_anywhere = matches!(goal, Goal::State(_));
            loop {
                let lost = match self.step(&mut driver, &from, &goal, None) {
                    Ok((step, end)) => {
                        steps.push(step);
                        from = end;
                        break;
                    }
                    Err(lost) => lost,
                };
                // Somebody may have to go away first who counts as gone.
                let Some((step, end)) = self.departs(&mut driver, &from, &mut departures)? else {
                    return Err(lost);
                };
                steps.push(step);
                from = end;
            }
        }
        if ends_anywhere {
            while let Some((step, end)) = self.departs(&mut driver, &from, &mut departures)? {
                steps.push(step);
                from = end;
            }
        }
        Ok(Trace {
            initial,
            steps,
            loop_start: None,
        })
    }

    /// Somebody who counts as gone goes away, if anybody can.
    fn departs(
        &self,
        driver: &mut Driver<'_>,
        from: &[u64],
        most: &mut usize,
    ) -> Result<Option<(MacroStep, Vec<u64>)>, UnknownReason> {
        let Some(symmetry) = &self.engine.symmetry else {
            return Ok(None);
        };
        let mut same = from.to_vec();
        symmetry.clone().sort(&mut same);
        if !symmetry.forgets_ended() || same == from || *most == 0 {
            return Ok(None);
        }
        *most -= 1;
        match self.step(driver, from, &Goal::State(same), Some(from)) {
            Ok(found) => Ok(Some(found)),
            Err(UnknownReason::NotReplayed(_)) => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    /// What is chosen at first to come to a state, or to one that it stands for.
    fn initial(
        &self,
        driver: &mut Driver<'_>,
        start: &[u64],
    ) -> Result<(Vec<Value>, Vec<u64>), UnknownReason> {
        let states = initial_states(&mut driver.machine, &self.engine.layout)?;
        let mut stored = vec![0; self.engine.packing.words];
        for (state, log_of) in states {
            self.engine.packing.pack(&state, &mut stored);
            let mut sorted = stored.clone();
            if let Some(mut symmetry) = self.engine.symmetry.clone() {
                symmetry.sort(&mut sorted);
            }
            if sorted == start {
                let log = &driver.machine.log;
                return Ok((
                    log.read(log_of, self.engine.program, &self.compiled.code).0,
                    stored,
                ));
            }
        }
        Err(lost())
    }

    fn step(
        &self,
        driver: &mut Driver<'_>,
        from: &[u64],
        goal: &Goal,
        moves: Option<&[u64]>,
    ) -> Result<(MacroStep, Vec<u64>), UnknownReason> {
        let mut waiting = Waiting {
            goal,
            log: None,
            symmetry: self.engine.symmetry.clone(),
            end: Vec::new(),
            scratch: Vec::new(),
            moves,
        };
        match driver.expand(from, &mut waiting) {
            Err(Halt::Stop(reason)) => return Err(reason),
            Err(Halt::Enough | Halt::FieldOverflow) | Ok(_) => {}
        }
        let log = waiting.log.ok_or_else(lost)?;
        let (_, moves) = driver
            .machine
            .log
            .read(log, self.engine.program, &self.compiled.code);
        Ok((MacroStep { moves }, waiting.end))
    }
}

fn lost() -> UnknownReason {
    UnknownReason::NotReplayed("the engine did not find its own run again".to_owned())
}
