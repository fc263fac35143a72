//! Formulas as claims: the simplest kind that says the same.
//!
//! Parts that speak of one moment only become one expression, so that automata stay small.

use logic::Ltl;
use model::{Claim, ExprId};

use super::syntax::Formula;
use super::weave::Weaver;

impl Weaver<'_> {
    /// A formula as the simplest claim that says the same, and what makes it speak at all.
    pub(super) fn claim(&mut self, property: usize, formula: &Formula) -> (Claim, Option<ExprId>) {
        match formula {
            Formula::Always(p) if p.is_present() => {
                let trigger = self.premise(property, p);
                let holds = self.present(property, p);
                (Claim::Always(holds), trigger)
            }
            Formula::Never(p) if p.is_present() => {
                let happens = self.present(property, p);
                let never = self.program().exprs.not(happens);
                (Claim::Always(never), None)
            }
            Formula::LeadsTo(p, _) if p.is_present() => {
                let ltl = self.ltl(property, formula);
                let trigger = self.present(property, p);
                (Claim::Ltl(ltl), Some(trigger))
            }
            Formula::Always(p) => {
                let ltl = self.ltl(property, formula);
                let trigger = self.premise(property, p);
                (Claim::Ltl(ltl), trigger)
            }
            _ => (Claim::Ltl(self.ltl(property, formula)), None),
        }
    }

    /// The left side of an implication about the present.
    fn premise(&mut self, property: usize, formula: &Formula) -> Option<ExprId> {
        match formula {
            Formula::Implies(p, _) if p.is_present() => Some(self.present(property, p)),
            _ => None,
        }
    }

    /// A formula about the present as one expression.
    pub(super) fn present(&mut self, property: usize, formula: &Formula) -> ExprId {
        match formula {
            Formula::State(expr) => self.exprs.condition(*expr),
            Formula::Event(pattern) => {
                if let Some(&atom) = self.atoms.get(&pattern.span) {
                    return atom;
                }
                let resolved = self.exprs.resolved;
                let event = resolved
                    .events
                    .get(&pattern.span)
                    .expect("formulas have been resolved");
                let atom = self.observe(property, event, None);
                self.atoms.insert(pattern.span, atom);
                atom
            }
            Formula::Not(p) => {
                let p = self.present(property, p);
                self.program().exprs.not(p)
            }
            Formula::And(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.and(p, q)
            }
            Formula::Or(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.or(p, q)
            }
            Formula::Implies(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                let exprs = &mut self.program().exprs;
                let not_p = exprs.not(p);
                exprs.or(not_p, q)
            }
            Formula::Iff(p, q) => {
                let (p, q) = (self.present(property, p), self.present(property, q));
                self.program().exprs.binary(model::Binary::Eq, p, q)
            }
            _ => unreachable!("the formula is about the present"),
        }
    }

    fn ltl(&mut self, property: usize, formula: &Formula) -> Ltl<ExprId> {
        if formula.is_present() {
            return Ltl::atom(self.present(property, formula));
        }
        let both = |weaver: &mut Self, p: &Formula, q: &Formula| -> (Ltl<ExprId>, Ltl<ExprId>) {
            (weaver.ltl(property, p), weaver.ltl(property, q))
        };
        match formula {
            Formula::State(_) | Formula::Event(_) => unreachable!("these are about the present"),
            Formula::Not(p) => Ltl::not(self.ltl(property, p)),
            Formula::And(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::and(p, q)
            }
            Formula::Or(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::or(p, q)
            }
            Formula::Implies(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::implies(p, q)
            }
            Formula::Iff(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::iff(p, q)
            }
            Formula::Next(p) => Ltl::next(self.ltl(property, p)),
            Formula::Always(p) => Ltl::always(self.ltl(property, p)),
            Formula::Never(p) => Ltl::always(Ltl::not(self.ltl(property, p))),
            Formula::Eventually(p) => Ltl::eventually(self.ltl(property, p)),
            Formula::Until(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::until(p, q)
            }
            Formula::Release(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::release(p, q)
            }
            Formula::WeakUntil(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::weak_until(p, q)
            }
            Formula::LeadsTo(p, q) => {
                let (p, q) = both(self, p, q);
                Ltl::always(Ltl::implies(p, Ltl::eventually(q)))
            }
        }
    }
}
