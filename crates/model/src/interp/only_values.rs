//! How the only values that variables can become are found, and forgotten when what they are computed from changes.

use super::Interp;
use super::eval::Scope;
use super::settled::Settled;
use super::state::State;
use crate::expr::{Binary, Expr, Root, ValueSet};
use crate::ids::{ExprId, GlobalId};
use crate::process::Choice;
use crate::program::Program;
use crate::value::Value;

impl Settled {
    /// Goes over to a state.
    pub(super) fn in_state(
        &mut self,
        program: &Program,
        choices: &[(GlobalId, Choice)],
        state: &State,
    ) {
        if !self.is_known {
            self.is_known = true;
            self.readers = vec![Vec::new(); program.globals.len()];
            self.values = vec![None; choices.len()];
            for (at, (_, choice)) in choices.iter().enumerate() {
                let at = u32::try_from(at).expect("choices are fewer than expressions");
                let read = looked_at(program, &choice.set);
                self.others.push(read.is_none() || choice.sample.is_some());
                for global in read.unwrap_or_default() {
                    self.readers[global.index()].push(at);
                }
            }
        } else {
            for changed in self.globals.changed(&state.globals) {
                for &reader in self.readers.get(changed).into_iter().flatten() {
                    self.values[reader as usize] = None;
                }
            }
        }
        self.globals = state.globals.clone();
    }

    /// The only value of a choice, if it is known to have one of the right type.
    pub(super) fn only(
        &mut self,
        interp: &Interp<'_>,
        scope: Scope<'_>,
        at: usize,
        (global, choice): &(GlobalId, Choice),
    ) -> Option<Value> {
        if self.others[at] {
            return None;
        }
        if self.values[at].is_none() {
            let value = the_value(interp, scope, &choice.set)?;
            let ty = &interp.program.globals[global.index()].ty;
            self.values[at] = interp.program.has_type(&value, ty).then_some(value);
        }
        self.values[at].clone()
    }
}

/// The value that a set plainly has alone.
fn the_value(interp: &Interp<'_>, scope: Scope<'_>, set: &ValueSet) -> Option<Value> {
    match set {
        ValueSet::One(value) => interp.eval(scope, *value).ok(),
        ValueSet::Ite(test, then, otherwise) => match interp.eval(scope, *test).ok()?.truth() {
            true => the_value(interp, scope, then),
            false => the_value(interp, scope, otherwise),
        },
        ValueSet::Between(..) | ValueSet::Union(_) | ValueSet::All(_) => None,
    }
}

/// The variables that a set is computed from; nothing if it may be computed from anything else.
fn looked_at(program: &Program, set: &ValueSet) -> Option<Vec<GlobalId>> {
    let mut waiting: Vec<ExprId> = Vec::new();
    set.operands(&mut |id| waiting.push(id));
    let mut seen = std::collections::HashSet::new();
    let mut found = std::collections::BTreeSet::new();
    while let Some(id) = waiting.pop() {
        source::limits::check();
        if !seen.insert(id) {
            continue;
        }
        match program.exprs.get(id) {
            Expr::Load(place) => match place.root {
                Root::Global(global) => {
                    found.insert(global);
                }
                _ => return None,
            },
            // A pointer is moved within an object, which may go away.
            Expr::Binary(Binary::Offset, ..) => return None,
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Ite(..)
            | Expr::Convert(_)
            | Expr::Tuple(_) => {}
            _ => return None,
        }
        program.exprs.operands(id, |operand| waiting.push(operand));
    }
    Some(found.into_iter().collect())
}
