//! Who decides at a choice: everything in turn, or a trace.

use super::Interp;
use super::eval::{Scope, Trouble};
use super::members::Members;
use crate::process::Choice;
use crate::value::Value;

/// Why a move has no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// There is no such run: an assumption or guard is false, or there is nothing to choose.
    /// `assumed` if the run was under way (an `Assume`, an empty choice in a body).
    Pruned { assumed: bool },
    /// A mathematical integer left 128 bits.
    Overflow,
    /// A given choice is not among those there are.
    Refused(String),
    /// A choice is among more values than can be listed.
    TooWide,
}

/// Decides choices.
pub(crate) trait Oracle {
    fn choose(
        &mut self,
        interp: &Interp<'_>,
        scope: Scope<'_>,
        choice: &Choice,
    ) -> Result<Result<Value, Halt>, Trouble>;

    /// Decides a choice that is known to have one value.
    fn only(&mut self, choice: &Choice, value: &Value) -> Result<(), Halt>;
}

/// Takes every combination in turn: run, then [`advance`](Enumerate::advance) until it says no.
///
/// Runs that have taken the same values so far have the same to choose from, so that is found once.
#[derive(Default)]
pub(crate) struct Enumerate {
    /// What there was to choose from, and which of it is taken.
    taken: Vec<(Members, usize)>,
    next: usize,
    /// Whether a sample stood for a set.
    pub(crate) sampled: bool,
}

impl Enumerate {
    /// Moves on to the next combination, last choice first.
    pub(crate) fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((members, index)) = self.taken.last_mut() {
            if *index + 1 < members.count() {
                *index += 1;
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

impl Oracle for Enumerate {
    fn choose(
        &mut self,
        interp: &Interp<'_>,
        scope: Scope<'_>,
        choice: &Choice,
    ) -> Result<Result<Value, Halt>, Trouble> {
        if self.next == self.taken.len() {
            let mut members = match &choice.sample {
                Some(sample) => {
                    self.sampled = true;
                    Members::Listed(interp.eval_all(scope, sample)?)
                }
                None => interp.members(scope, &choice.set)?,
            };
            if matches!(members, Members::TooMany(..)) {
                if !interp.sampling {
                    return Ok(Err(Halt::TooWide));
                }
                self.sampled = true;
                members = members.sample();
            }
            if members.count() == 0 {
                return Ok(Err(Halt::Pruned { assumed: true }));
            }
            self.taken.push((members, 0));
        }
        let (members, index) = &self.taken[self.next];
        self.next += 1;
        Ok(Ok(members.get(*index)))
    }

    fn only(&mut self, _: &Choice, _: &Value) -> Result<(), Halt> {
        if self.next == self.taken.len() {
            self.taken.push((Members::Range(0, 0), 0));
        }
        self.next += 1;
        Ok(())
    }
}

/// Takes the values of a trace, if they are among those there are.
pub(crate) struct Given<'v> {
    pub(crate) values: &'v [Value],
    pub(crate) next: usize,
}

impl Oracle for Given<'_> {
    fn choose(
        &mut self,
        interp: &Interp<'_>,
        scope: Scope<'_>,
        choice: &Choice,
    ) -> Result<Result<Value, Halt>, Trouble> {
        // A choice that faults is none: no value is given for it.
        match &choice.sample {
            Some(sample) => drop(interp.eval_all(scope, sample)?),
            None => interp.faults_of(scope, &choice.set)?,
        }
        let Some(value) = self.values.get(self.next) else {
            return Ok(Err(Halt::Refused(format!("no value for {}", choice.what))));
        };
        self.next += 1;
        if interp.is_member(scope, &choice.set, value)? {
            Ok(Ok(value.clone()))
        } else {
            Ok(Err(Halt::Refused(format!(
                "{value:?} is no value for {}",
                choice.what
            ))))
        }
    }
    fn only(&mut self, choice: &Choice, only: &Value) -> Result<(), Halt> {
        let Some(value) = self.values.get(self.next) else {
            return Err(Halt::Refused(format!("no value for {}", choice.what)));
        };
        self.next += 1;
        match value == only {
            true => Ok(()),
            false => Err(Halt::Refused(format!(
                "{value:?} is no value for {}",
                choice.what
            ))),
        }
    }
}
