//! A run that shows why a state does not satisfy a formula of CTL, as far as one run can.
//!
//! What all paths must do is refuted by one that does not; what some path should do cannot be
//! refuted by any. Where a run ends in a state from which no more is to be shown, a fair path is
//! appended if not every path is one.

use circuit::Lit;
use logic::{Ctl, Quantifier};

use crate::branching::Branching;
use crate::diagram::{Bdd, Result};
use crate::path::Path;

impl Branching<'_, '_> {
    /// Goes on from the end of a path, whose last state does not satisfy the formula, to show it.
    pub(crate) fn refute(&mut self, path: Path, formula: &Ctl<Lit>) -> Result<Path> {
        let every_path_is_fair = self.system.justice.is_empty() && self.fair.all == self.care;
        let mut witness = Witness { b: self, path };
        witness.show(formula, false)?;
        if !every_path_is_fair && witness.path.loop_start.is_none() {
            let fair = witness.b.fair.clone();
            witness.b.system.close(&mut witness.path, &fair)?;
        }
        Ok(witness.path)
    }
}

struct Witness<'b, 's, 'c> {
    b: &'b mut Branching<'s, 'c>,
    path: Path,
}

impl Witness<'_, '_, '_> {
    fn satisfies(&mut self, formula: &Ctl<Lit>) -> Result<bool> {
        let set = self.b.satisfying(formula)?;
        let state = self.path.last().set.clone();
        self.b.system.space.m.is_subset(&state, &set)
    }

    /// Goes on to show that the last state satisfies a formula, or that it does not.
    fn show(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<()> {
        use Quantifier::{All, Some};
        if self.path.loop_start.is_some() || formula.is_local() {
            return Ok(());
        }
        match (formula, holds) {
            (Ctl::Not(p), _) => self.show(p, !holds),
            (Ctl::And(ps), false) | (Ctl::Or(ps), true) => {
                let mut decisive: Option<&Ctl<Lit>> = None;
                for p in ps.iter() {
                    if self.satisfies(p)? == holds && decisive.is_none_or(Ctl::is_local) {
                        decisive = Option::Some(p);
                    }
                }
                decisive.map_or(Ok(()), |p| self.show(p, holds))
            }
            (Ctl::And(ps) | Ctl::Or(ps), _) => {
                let tree = ps.iter().find(|p| !p.is_local());
                tree.map_or(Ok(()), |p| self.show(p, holds))
            }
            (Ctl::Implies(p, q), false) => {
                if q.is_local() {
                    self.show(p, true)
                } else {
                    self.show(q, false)
                }
            }
            (Ctl::Implies(p, q), true) => {
                if self.satisfies(q)? {
                    self.show(q, true)
                } else {
                    self.show(p, false)
                }
            }
            (Ctl::Next(All, p), false) => self.step(p, false),
            (Ctl::Next(Some, p), true) => self.step(p, true),
            (Ctl::Always(All, p), false) => self.reach(p, false),
            (Ctl::Eventually(Some, p), true) => self.reach(p, true),
            (Ctl::Until(Some, p, q), true) => {
                let (through, to) = (self.b.satisfying(p)?, self.b.satisfying(q)?);
                let until = self.b.until(&through, &to)?;
                if self.b.system.descend(&mut self.path, &until)? {
                    self.show(q, true)?;
                }
                Ok(())
            }
            (Ctl::Eventually(All, p), false) => self.stay(p, false),
            (Ctl::Always(Some, p), true) => self.stay(p, true),
            (Ctl::Until(All, p, q), false) => {
                let (not_p, not_q) = (self.b.of(p, false)?, self.b.of(q, false)?);
                let neither: Bdd = self.b.and(&not_p, &not_q)?;
                let until = self.b.until(&not_q, &neither)?;
                if self.b.system.descend(&mut self.path, &until)? {
                    Ok(())
                } else {
                    self.stay(q, false)
                }
            }
            // Nothing that one run could show.
            _ => Ok(()),
        }
    }

    fn step(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<()> {
        let set = self.b.of(formula, holds)?;
        let fair = self.b.fair.all.clone();
        let set = self.b.and(&set, &fair)?;
        if self.b.system.step_into(&mut self.path, &set, None)? {
            self.show(formula, holds)?;
        }
        Ok(())
    }

    fn reach(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<()> {
        let until = self.b.reaching(formula, holds)?;
        if self.b.system.descend(&mut self.path, &until)? {
            self.show(formula, holds)?;
        }
        Ok(())
    }

    fn stay(&mut self, formula: &Ctl<Lit>, holds: bool) -> Result<()> {
        let forever = self.b.staying(formula, holds)?;
        self.b.system.close(&mut self.path, &forever)?;
        Ok(())
    }
}
