//! Moves that are not possible whatever is chosen.
//!
//! A move is tried with each combination of what its steps choose before their guards are looked at.
//! Where a guard is false in which none of that is read, or two ends of a message mean different
//! channels, all combinations come to the same, and there may be millions of them.

use super::Interp;
use super::eval::Scope;
use super::state::State;
use crate::expr::{Expr, Root};
use crate::ids::ExprId;
use crate::process::{Choice, Comm, Step};
use crate::trace::Part;

impl Interp<'_> {
    /// Whether a move that is not possible with some choices is so with none. If not, that is not known.
    pub(super) fn fails_regardless(&self, state: &State, parts: &[Part]) -> bool {
        let step = |&part: &Part| Some((part.instance, self.step_of(state, part)?));
        let steps: Vec<(u32, &Step)> = parts.iter().filter_map(step).collect();
        let binds = || steps.iter().flat_map(|(_, step)| &step.binds);
        let chosen: Vec<Root> = binds().map(|choice| choice.place.root).collect();
        let is_plain = |root: &Root| matches!(root, Root::Global(_) | Root::Own(_));
        // What is chosen first may make a fault of what is chosen next, and with a fault the move is possible.
        if !chosen.iter().all(is_plain) || !binds().all(|choice| self.is_fixed_set(choice, &chosen))
        {
            return false;
        }
        // In the order in which they are looked at.
        if let [(one, sender), (other, receiver)] = steps[..]
            && let (Some(Comm::Send { channel, .. }), Some(Comm::Receive { channel: to, .. })) =
                (&sender.comm, &receiver.comm)
        {
            if !self.is_fixed(*channel, &chosen) || !self.is_fixed(*to, &chosen) {
                return false;
            }
            let from = self.eval(Scope::of(state, one), *channel);
            match (from, self.eval(Scope::of(state, other), *to)) {
                (Ok(from), Ok(to)) if from == to => {}
                (Ok(_), Ok(_)) => return true,
                _ => return false,
            }
        }
        for (instance, step) in steps {
            let process = state.instance(instance).map(|instance| instance.process);
            let process = process.map(|process| &self.program.processes[process.index()]);
            let provided = process.and_then(|process| process.provided_for(step));
            for condition in provided.into_iter().chain(step.guard) {
                if !self.is_fixed(condition, &chosen) {
                    return false;
                }
                match self.truth(Scope::of(state, instance), condition) {
                    Ok(true) => {}
                    Ok(false) => return true,
                    Err(_) => return false,
                }
            }
        }
        false
    }

    /// Whether what a choice is among does not depend on what is chosen.
    fn is_fixed_set(&self, choice: &Choice, chosen: &[Root]) -> bool {
        let mut all = true;
        choice
            .set
            .operands(&mut |expr| all &= self.is_fixed(expr, chosen));
        let sample = choice.sample.iter().flatten();
        all && sample.copied().all(|expr| self.is_fixed(expr, chosen))
    }

    /// Whether an expression reads nothing that is chosen, as far as its text tells.
    fn is_fixed(&self, expr: ExprId, chosen: &[Root]) -> bool {
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            let expr = self.program.exprs.get(expr);
            let is_fixed = match expr {
                Expr::Load(place) => {
                    let is_plain = matches!(place.root, Root::Global(_) | Root::Own(_));
                    is_plain && !chosen.contains(&place.root)
                }
                Expr::Const(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Ite(..)
                | Expr::Convert(_)
                | Expr::Tuple(_)
                | Expr::Apply(..)
                | Expr::ChannelLen(_)
                | Expr::ChannelCapacity(_)
                | Expr::At { .. }
                | Expr::Me => true,
                _ => false,
            };
            if !is_fixed {
                return false;
            }
            expr.operands(|operand| pending.push(operand));
        }
        true
    }
}
