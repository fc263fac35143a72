//! Ways of actions that need care: what a tool sends for a variable that is asked for, too, and what can never
//! be done, but is asked.

use model::{Place, Stmt, Type};

use super::{Lowering, Way};
use crate::ast::Word;
use crate::automaton::{Condition, Move};
use crate::behaviour::Atom;
use crate::lower::expression::always_has_truth;

impl Lowering<'_> {
    /// The ways of an action whose values may come from outside of the script. They are chosen before
    /// anything is asked: for a variable whose old value is asked for, too, elsewhere than in the variable.
    pub(super) fn ways_from_outside(&mut self, unit: usize, next: &Move, atom: &Atom) -> Vec<Way> {
        let is_tools = matches!(
            atom.word,
            Word::RecEvent | Word::RecValue | Word::Read | Word::Outside
        );
        if is_tools {
            return self.with_chosen(next, atom, |lowering| lowering.ways(unit, next.atom, atom));
        }
        let mut ways = self.ways(unit, next.atom, atom);
        if self.open && matches!(atom.word, Word::SndMsg | Word::RecMsg | Word::RecNote) {
            let way = |lowering: &mut Self| lowering.with_others(unit, atom).into_iter().collect();
            ways.extend(self.with_chosen(next, atom, way));
        }
        ways
    }

    /// Makes ways of an action whose variables are all chosen.
    fn with_chosen(
        &mut self,
        next: &Move,
        atom: &Atom,
        make: impl FnOnce(&mut Self) -> Vec<Way>,
    ) -> Vec<Way> {
        let (mut written, mut read) = (Vec::new(), Vec::new());
        for arg in &atom.args {
            arg.variables(&mut |var, writes| {
                if writes { &mut written } else { &mut read }.push(var);
            });
        }
        for condition in &next.conditions {
            match condition {
                Condition::Holds(test) => test.test.variables(&mut |var, _| read.push(var)),
                Condition::Set(_, value) => value.variables(&mut |var, _| read.push(var)),
                Condition::Vanishes(_) | Condition::Vanished(_) => {}
            }
        }
        if !written.iter().any(|var| read.contains(var)) {
            return make(self);
        }
        written.sort();
        written.dedup();
        for (at, var) in written.into_iter().enumerate() {
            let through = self.step_variable(format!("(chosen {at})"));
            self.chosen.push((var, through));
        }
        let mut ways = make(self);
        for (var, through) in std::mem::take(&mut self.chosen) {
            let value = self.program.exprs.load(Place::global(through), Type::Rich);
            for way in &mut ways {
                way.body.push(Stmt::Assign(Place::own(var.index()), value));
            }
        }
        ways
    }

    /// An action that can never be done: what has to hold for it is asked nonetheless, and may have no value.
    /// Who waits for a message or a note asks only when one has come.
    pub(super) fn only_asks(&mut self, atom: &Atom, next: &Move) -> Option<Way> {
        let asks = next.conditions.iter().any(|condition| match condition {
            Condition::Holds(test) => !always_has_truth(&test.test),
            _ => false,
        });
        let waits = matches!(atom.word, Word::RecMsg | Word::RecNote | Word::Delta);
        if !asks || waits {
            return None;
        }
        // Nothing is picked out between steps.
        let picked = self
            .program
            .exprs
            .load(Place::global(self.picked), Type::Rich);
        let never = self.text("never");
        let mut way = Way::doing(Vec::new());
        way.guards = vec![self.equal(picked, never)];
        Some(way)
    }
}
