//! Branching time: the states that satisfy a formula of CTL, over fair paths.
//!
//! From the inside out, one set for each subformula, each computed once (Clarke, Emerson and
//! Sistla 1986; Burch, Clarke, McMillan, Dill and Hwang 1990). All sets are meant within those
//! that are looked at: what can be reached, where that is known.

use std::collections::HashMap;

use circuit::Lit;
use logic::{Ctl, Quantifier};
use model::Distance;

use crate::diagram::{Bdd, Result};
use crate::fixpoint::{Forever, Until};
use crate::system::System;

/// A system, a part of its states, and what is known of formulas there.
pub(crate) struct Branching<'s, 'c> {
    pub(crate) system: &'s mut System<'c>,
    /// The states that are looked at; closed under steps.
    pub(crate) care: Bdd,
    /// From these a fair path begins.
    pub(crate) fair: Forever,
    known: HashMap<Ctl<Lit>, Bdd>,
    untils: HashMap<(Ctl<Lit>, bool), Until>,
    forevers: HashMap<(Ctl<Lit>, bool), Forever>,
}

impl<'s, 'c> Branching<'s, 'c> {
    pub(crate) fn new(system: &'s mut System<'c>) -> Result<Self> {
        let care = if system.complete {
            system.reached.clone()
        } else {
            system.relation.states.clone()
        };
        // What is said of a state, other formulas of linear time aside, knows no compassion.
        system.compassion.clear();
        if system.complete {
            system.look_at_reached()?;
        }
        let fair = system.for_ever(&care)?;
        Ok(Branching {
            system,
            care,
            fair,
            known: HashMap::new(),
            untils: HashMap::new(),
            forevers: HashMap::new(),
        })
    }

    /// The states that are looked at in which a set's states are not.
    pub(crate) fn complement(&mut self, set: &Bdd) -> Result<Bdd> {
        let care = self.care.clone();
        self.system.space.m.without(&care, set)
    }

    pub(crate) fn and(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.system.space.m.and(f, g)
    }

    fn or(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.system.space.m.or(f, g)
    }

    /// Those that do satisfy a formula, or those that do not.
    pub(crate) fn of(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<Bdd> {
        let set = self.satisfying(formula)?;
        if holds {
            Ok(set)
        } else {
            self.complement(&set)
        }
    }

    /// Those with a path through `through` to fair ones of `to`.
    pub(crate) fn until(&mut self, through: &Bdd, to: &Bdd) -> Result<Until> {
        let fair = self.fair.all.clone();
        let target = self.and(to, &fair)?;
        self.system.until(through, &target)
    }

    /// Paths of any kind to fair ones of those that do, or do not, satisfy a formula.
    pub(crate) fn reaching(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<Until> {
        let key = (formula.clone(), holds);
        if let Some(until) = self.untils.get(&key) {
            return Ok(until.clone());
        }
        let to = self.of(formula, holds)?;
        let care = self.care.clone();
        let until = self.until(&care, &to)?;
        self.untils.insert(key, until.clone());
        Ok(until)
    }

    /// Fair paths on which each state does, or does not, satisfy a formula.
    pub(crate) fn staying(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<Forever> {
        let key = (formula.clone(), holds);
        if let Some(forever) = self.forevers.get(&key) {
            return Ok(forever.clone());
        }
        let within = self.of(formula, holds)?;
        let fair = self.fair.all.clone();
        let within = self.and(&within, &fair)?;
        let forever = self.system.for_ever(&within)?;
        self.forevers.insert(key, forever.clone());
        Ok(forever)
    }

    /// Those with a step into a set that can be gone on with fairly.
    pub(crate) fn next(&mut self, set: &Bdd) -> Result<Bdd> {
        let fair = self.fair.all.clone();
        let target = self.and(set, &fair)?;
        let before = self.system.before(&target, None)?;
        let care = self.care.clone();
        self.and(&before, &care)
    }

    /// Those that satisfy a formula.
    pub(crate) fn satisfying(&mut self, formula: &Ctl<Lit>) -> Result<Bdd> {
        if let Some(set) = self.known.get(formula) {
            return Ok(set.clone());
        }
        let set = self.compute(formula)?;
        let care = self.care.clone();
        let set = self.and(&set, &care)?;
        self.known.insert(formula.clone(), set.clone());
        Ok(set)
    }

    fn compute(&mut self, formula: &Ctl<Lit>) -> Result<Bdd> {
        use Quantifier::{All, Some};
        match formula {
            Ctl::True => Ok(self.care.clone()),
            Ctl::False => Ok(self.system.space.m.zero()),
            Ctl::Atom(lit) => self.system.space.function(*lit),
            Ctl::Not(p) => self.of(p, false),
            Ctl::And(ps) => {
                let mut set = self.care.clone();
                for p in ps.iter() {
                    let p = self.satisfying(p)?;
                    set = self.and(&set, &p)?;
                }
                Ok(set)
            }
            Ctl::Or(ps) => {
                let mut set = self.system.space.m.zero();
                for p in ps.iter() {
                    let p = self.satisfying(p)?;
                    set = self.or(&set, &p)?;
                }
                Ok(set)
            }
            Ctl::Implies(p, q) => {
                let (not_p, q) = (self.of(p, false)?, self.satisfying(q)?);
                self.or(&not_p, &q)
            }
            Ctl::Iff(p, q) => {
                let (p, q) = (self.satisfying(p)?, self.satisfying(q)?);
                self.system.space.m.iff(&p, &q)
            }
            Ctl::Next(over, p) => {
                let p = self.of(p, *over == Some)?;
                let next = self.next(&p)?;
                self.dual(*over, &next)
            }
            Ctl::Eventually(Some, p) => Ok(self.reaching(p, true)?.all),
            Ctl::Always(All, p) => {
                let fails = self.reaching(p, false)?.all;
                self.complement(&fails)
            }
            Ctl::Always(Some, p) => Ok(self.staying(p, true)?.all),
            Ctl::Eventually(All, p) => {
                let fails = self.staying(p, false)?.all;
                self.complement(&fails)
            }
            Ctl::Until(Some, p, q) => {
                let (p, q) = (self.satisfying(p)?, self.satisfying(q)?);
                Ok(self.until(&p, &q)?.all)
            }
            Ctl::Until(All, p, q) => {
                let (not_p, not_q) = (self.of(p, false)?, self.of(q, false)?);
                let neither = self.and(&not_p, &not_q)?;
                let fails = self.until(&not_q, &neither)?.all;
                let stays = self.staying(q, false)?.all;
                let fails = self.or(&fails, &stays)?;
                self.complement(&fails)
            }
            Ctl::Within(over, lo, hi, p, q) => self.within(*over, *lo, *hi, p, q),
        }
    }

    /// The least number of steps from a set to another one, ring by ring. Both are of states that
    /// have a fair path.
    pub(crate) fn shortest(&mut self, from: &Bdd, to: &Bdd) -> Result<Distance> {
        let fair = self.fair.all.clone();
        let (mut ring, mut seen) = (from.clone(), from.clone());
        for steps in 0.. {
            if ring.is_zero() {
                break;
            }
            if self.system.space.m.meet(&ring, to)? {
                return Ok(Distance::Steps(steps));
            }
            let after = self.system.after(&ring, None)?;
            let after = self.and(&after, &fair)?;
            ring = self.system.space.m.without(&after, &seen)?;
            seen = self.or(&seen, &ring)?;
        }
        Ok(Distance::Infinite)
    }

    /// The greatest number of steps that one who begins in a set can avoid another one, moving
    /// among states that have a fair path.
    pub(crate) fn longest(&mut self, from: &Bdd, to: &Bdd) -> Result<Distance> {
        let fair = self.fair.all.clone();
        // Those that can avoid it for so many steps.
        let mut avoiding = self.system.space.m.without(&fair, to)?;
        for steps in 0.. {
            if !self.system.space.m.meet(&avoiding, from)? {
                return Ok(Distance::Steps(steps));
            }
            let before = self.system.before(&avoiding, None)?;
            let fewer = self.and(&before, &avoiding)?;
            if fewer == avoiding {
                break;
            }
            avoiding = fewer;
        }
        Ok(Distance::Infinite)
    }

    fn dual(&mut self, over: Quantifier, set: &Bdd) -> Result<Bdd> {
        match over {
            Quantifier::Some => Ok(set.clone()),
            Quantifier::All => self.complement(set),
        }
    }

    fn within(
        &mut self,
        over: Quantifier,
        lo: u32,
        hi: u32,
        p: &Ctl<Lit>,
        q: &Ctl<Lit>,
    ) -> Result<Bdd> {
        let (p, q) = (self.satisfying(p)?, self.satisfying(q)?);
        let fair = self.fair.all.clone();
        let end = match over {
            Quantifier::Some => self.and(&q, &fair)?,
            Quantifier::All => {
                let unfair = self.complement(&fair)?;
                self.or(&q, &unfair)?
            }
        };
        let mut set = end.clone();
        for _ in lo..hi {
            let more = self.one_before(over, &set, &p)?;
            let more = self.or(&more, &end)?;
            if more == set {
                break;
            }
            set = more;
        }
        for _ in 0..lo {
            let before = self.one_before(over, &set, &p)?;
            if before == set {
                break;
            }
            set = before;
        }
        Ok(set)
    }

    fn one_before(&mut self, over: Quantifier, set: &Bdd, through: &Bdd) -> Result<Bdd> {
        let next = match over {
            Quantifier::Some => self.next(set)?,
            Quantifier::All => {
                let others = self.complement(set)?;
                let next = self.next(&others)?;
                self.complement(&next)?
            }
        };
        self.and(&next, through)
    }
}
