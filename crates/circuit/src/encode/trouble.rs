//! What can go wrong while something is evaluated: which fault is raised first, and when.

use model::FaultId;

use crate::aig::{Aig, Lit};

/// The faults of an evaluation. No two are raised together, for the first one ends it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Trouble(Vec<(FaultId, Lit)>);

impl Trouble {
    /// One fault, under a condition.
    pub(crate) fn fault(fault: FaultId, when: Lit) -> Trouble {
        if when == Lit::FALSE {
            return Trouble::default();
        }
        Trouble(vec![(fault, when)])
    }

    /// The faults, each with when it is raised.
    pub(crate) fn faults(&self) -> &[(FaultId, Lit)] {
        &self.0
    }

    /// Whether anything is raised.
    pub(crate) fn any(&self, aig: &mut Aig) -> Lit {
        let all: Vec<Lit> = self.0.iter().map(|(_, when)| *when).collect();
        aig.any(&all)
    }

    /// Only where a condition holds.
    pub(crate) fn under(mut self, aig: &mut Aig, condition: Lit) -> Trouble {
        for (_, when) in &mut self.0 {
            *when = aig.and(*when, condition);
        }
        self.0.retain(|(_, when)| *when != Lit::FALSE);
        self
    }

    /// What is raised by one evaluation and another after it.
    pub(crate) fn then(mut self, aig: &mut Aig, after: &Trouble) -> Trouble {
        if after.0.is_empty() {
            return self;
        }
        let quiet = !self.any(aig);
        for &(fault, when) in &after.0 {
            let when = aig.and(when, quiet);
            if when == Lit::FALSE {
                continue;
            }
            match self.0.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, known)) => *known = aig.or(*known, when),
                None => self.0.push((fault, when)),
            }
        }
        self
    }
}
