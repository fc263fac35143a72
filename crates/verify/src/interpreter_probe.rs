//! A depth-first look for failures on the reference interpreter.
//!
//! The explicit engine compiles a program for as many instances as there can be at once. Where there
//! are hundreds, each with channels of its own, it cannot. The interpreter takes any program; it is
//! slow, but many such programs are calculations that come to their end along nearly every run.
//! States are gone through newest first, and of instances the youngest first, as SPIN does it
//! (Holzmann 2003, chapter 8): who has been started to find something out does that before others
//! go on. What is found is a failure; nothing is said of what is not found.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use model::interp::{Interp, State, Successor, Violation};
use model::{Budget, Claim, MacroStep, Program, PropertyId, Trace, Value};

/// States that it looks at, and states that it keeps to go on from, at most: some seconds' worth.
const MOST: usize = 1 << 17;

/// Looks for runs on which properties fail, as long as the budget lasts.
pub(crate) fn walk(
    program: &Program,
    properties: &[PropertyId],
    budget: &Budget,
) -> Vec<(PropertyId, Trace)> {
    let interp = Interp::new(program).with_budget(budget);
    let Ok(initial) = interp.initial() else {
        return Vec::new();
    };
    let mut walk = Walk {
        program,
        interp,
        open: properties.to_vec(),
        found: Vec::new(),
        seen: HashSet::new(),
        hasher: RandomState::new(),
        path: Vec::new(),
    };
    for (values, state) in initial {
        if walk.from(&values, &state, budget).is_none() {
            break;
        }
    }
    walk.found
}

struct Walk<'p> {
    program: &'p Program,
    interp: Interp<'p>,
    open: Vec<PropertyId>,
    found: Vec<(PropertyId, Trace)>,
    /// The hashes of states seen: two with the same are taken for one.
    seen: HashSet<u64>,
    hasher: RandomState,
    /// The steps to where it is.
    path: Vec<MacroStep>,
}

impl Walk<'_> {
    /// Goes through what can be reached from an initial state; nothing if it is to stop.
    fn from(&mut self, initial: &[Value], state: &State, budget: &Budget) -> Option<()> {
        let mut left = vec![self.arrive(initial, state)?];
        let mut waiting = left[0].len();
        while let Some(successors) = left.last_mut() {
            let Some(Successor { step, state, .. }) = successors.pop() else {
                left.pop();
                self.path.pop();
                continue;
            };
            waiting -= 1;
            if !self.seen.insert(self.hasher.hash_one(&state)) {
                continue;
            }
            let enough = self.open.is_empty() || self.seen.len().max(waiting) > MOST;
            if enough || budget.exhausted(0).is_some() {
                return None;
            }
            self.path.push(step);
            let next = self.arrive(initial, &state)?;
            waiting += next.len();
            left.push(next);
        }
        Some(())
    }

    /// Looks at a state and at what can happen there; gives what follows, the youngest instance's
    /// moves last.
    fn arrive(&mut self, initial: &[Value], state: &State) -> Option<Vec<Successor>> {
        let straight = self.interp.expand_straight(state);
        let expansion = straight.or_else(|| self.interp.expand_some(state).ok())?;
        let ends = expansion.successors.is_empty() && expansion.violations.is_empty();
        let (interp, program) = (&self.interp, self.program);
        let mut failing = Vec::new();
        self.open.retain(|&property| {
            let violates = |violation: &Violation| match &program.properties[property.index()].claim
            {
                Claim::Check(check) => matches!(violation, Violation::Check(c) if c == check),
                Claim::NoFault(faults) => {
                    matches!(violation, Violation::Fault(fault) if faults.contains(fault))
                }
                _ => false,
            };
            let fails = match &program.properties[property.index()].claim {
                Claim::Always(invariant) => interp.holds(state, *invariant) == Ok(false),
                Claim::NoDeadlock => {
                    let stored = interp.stored(state);
                    ends && interp.moves(&stored).is_empty() && !interp.is_valid_end(&stored)
                }
                _ => false,
            };
            let violations = expansion.violations.iter();
            let violation = violations
                .clone()
                .find(|(violation, _)| violates(violation));
            let last = violation.map(|(_, step)| step.clone());
            let goes_on = !fails && last.is_none();
            if !goes_on {
                failing.push((property, last));
            }
            goes_on
        });
        for (property, last) in failing {
            let trace = Trace {
                initial: initial.to_vec(),
                steps: self.path.iter().cloned().chain(last).collect(),
                loop_start: None,
            };
            self.found.push((property, trace));
        }
        Some(expansion.successors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::confirm;

    /// The names of the properties for which it finds a run; each run is confirmed.
    fn failing(text: &str) -> Vec<String> {
        let loaded = promela::load("m.pml", text, &promela::Options::default());
        let program = loaded.program.expect("it has no errors");
        let all: Vec<PropertyId> = (0..program.properties.len()).map(PropertyId::new).collect();
        let found = walk(&program, &all, &Budget::default());
        let name = |id: PropertyId| program.properties[id.index()].name.clone();
        let mut names: Vec<String> = found.iter().map(|(id, _)| name(*id)).collect();
        for (property, trace) in &found {
            confirm(&program, *property, trace).expect("the run is one on which it fails");
        }
        names.sort();
        names
    }

    #[test]
    fn what_fails_is_found_and_nothing_else() {
        let calls = "proctype sum(byte n; chan up) {
                chan own = [1] of { int };
                int rest = 0;
                if
                :: n > 0 -> run sum(n - 1, own); own?rest
                :: else
                fi;
                up!n + rest
            }
            init {
                chan own = [1] of { int };
                int all;
                run sum(100, own);
                own?all;
                assert(all != 5050)
            }";
        assert_eq!(failing(calls), ["assertions"]);
        let few = calls
            .replace("sum(100", "sum(5")
            .replace("!= 5050", "== 15");
        assert_eq!(failing(&few), [""; 0]);
        assert_eq!(
            failing(
                "chan c = [0] of { bit }; active proctype p() { byte x = 3; do :: x > 0 -> x-- :: else -> c!1 od }"
            ),
            ["deadlock"]
        );
        assert_eq!(
            failing("byte y; active [2] proctype p() { y = 10 / (2 - y); y = y - 3 }"),
            ["faults"]
        );
    }
}
