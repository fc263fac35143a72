//! Fixpoints over sets of states: until, and for ever under fairness.
//!
//! Emerson and Lei's nested fixpoint (1986). Fairness is about steps: to meet a justice condition
//! in a set is to take a step of which it holds, within the set. Compassion as in Kesten, Pnueli
//! and Raviv (1998): a state in which the first of a pair holds may stay only if it has a way to
//! the second. The rings of the last round are kept; runs are read off them.

use crate::diagram::{Bdd, Result};
use crate::system::System;

/// States with a path through a set to a target: ring `k` has those `k` steps away.
#[derive(Clone)]
pub(crate) struct Until {
    pub(crate) rings: Vec<Bdd>,
    pub(crate) all: Bdd,
}

/// States from which a fair path stays in a set.
#[derive(Clone)]
pub(crate) struct Forever {
    /// All of them.
    pub(crate) all: Bdd,
    /// The way from any of them to the core.
    pub(crate) entry: Until,
    /// Those from which each condition can be met again and again, without leaving.
    pub(crate) core: Bdd,
    /// For each condition the way, within the core, to where it can be met.
    pub(crate) ways: Vec<Way>,
}

/// How a condition is met.
#[derive(Clone)]
pub(crate) struct Way {
    /// Which steps meet it; none if any do.
    pub(crate) step: Option<Bdd>,
    /// To the states that have such a step into the core.
    pub(crate) until: Until,
}

impl System<'_> {
    /// States with a path through a set to a target; those of the target count wherever they are.
    pub(crate) fn until(&mut self, through: &Bdd, target: &Bdd) -> Result<Until> {
        let mut rings = vec![target.clone()];
        let mut all = target.clone();
        loop {
            let last = rings[rings.len() - 1].clone();
            let before = self.before(&last, None)?;
            let before = self.space.m.and(&before, through)?;
            let new = self.space.m.without(&before, &all)?;
            if new.is_zero() {
                return Ok(Until { rings, all });
            }
            all = self.space.m.or(&all, &new)?;
            rings.push(new);
        }
    }

    /// States from which a fair path stays in a set for ever.
    pub(crate) fn for_ever(&mut self, within: &Bdd) -> Result<Forever> {
        let justice = self.justice.clone();
        let compassion = self.compassion.clone();
        // Meeting a justice condition implies a step within the set.
        let steps_follow = !justice.is_empty() && compassion.is_empty();
        let mut core = if steps_follow {
            within.clone()
        } else {
            self.lasting(within)?
        };
        let ways = loop {
            if justice.is_empty() && compassion.is_empty() {
                break Vec::new();
            }
            let before = core.clone();
            let mut ways = Vec::new();
            for condition in &justice {
                if core.is_zero() {
                    break;
                }
                let target = self.before(&core, Some(condition))?;
                let target = self.space.m.and(&target, &core)?;
                let until = self.until(&core, &target)?;
                core = until.all.clone();
                ways.push(Way {
                    step: Some(condition.clone()),
                    until,
                });
            }
            for (p, q) in &compassion {
                if core.is_zero() {
                    break;
                }
                let target = self.before(&core, Some(q))?;
                let target = self.space.m.and(&target, &core)?;
                let until = self.until(&core, &target)?;
                let without_p = self.space.m.without(&core, p)?;
                core = self.space.m.or(&without_p, &until.all)?;
                ways.push(Way {
                    step: Some(q.clone()),
                    until,
                });
            }
            if !steps_follow {
                core = self.lasting(&core)?;
            }
            if core == before {
                break ways;
            }
        };
        let entry = if core == *within {
            Until {
                rings: vec![core.clone()],
                all: core.clone(),
            }
        } else {
            self.until(within, &core)?
        };
        Ok(Forever {
            all: entry.all.clone(),
            entry,
            core,
            ways,
        })
    }

    /// States of a set from which some path stays in it.
    fn lasting(&mut self, set: &Bdd) -> Result<Bdd> {
        // A set that is closed under steps loses those without a step only; what else there is
        // follows.
        let going_on = self.going_on()?;
        let all = self.space.m.is_subset(set, &going_on)?;
        let mut set = self.space.m.and(set, &going_on)?;
        if all && self.is_care(&set) {
            return Ok(set);
        }
        loop {
            let before = self.before(&set, None)?;
            let smaller = self.space.m.and(&set, &before)?;
            if smaller == set {
                return Ok(set);
            }
            set = smaller;
        }
    }
}
