//! Programs in which all variables move at once.
//!
//! A step gives each variable its next value in the order of the assignments, then each variable
//! without one any value of its type; the relation between a state and the next is a step
//! constraint over the next values. A variable that is chosen anew at every step from a set that
//! never changes is no latch but inputs, unless something asks for its first or its next value.

use std::collections::HashSet;

use model::{Expr, ExprId, GlobalId, Place, Root, SyncAssign, ValueSet, VariableKind};

use super::bits::Bits;
use super::choice::Row;
use super::evaluate::{Memo, Scope, Store};
use super::{Encoding, Slot, Unsupported};
use crate::aig::Lit;
use crate::circuit::Reset;

impl Encoding<'_> {
    pub(super) fn synchronous(&mut self, assigns: &[SyncAssign]) -> Result<(), Unsupported> {
        let program = self.program;
        let fleeting = self.fleeting(assigns);
        for (index, variable) in program.globals.iter().enumerate() {
            let located = |mut error: Unsupported| {
                error.span = variable.span;
                error
            };
            if matches!(variable.ty, model::Type::Mathint) {
                return Err(located(Unsupported::new("an unbounded integer")));
            }
            let bits = if fleeting.contains(&index) {
                let set = first_set(variable).unwrap_or_else(|| ValueSet::All(variable.ty.clone()));
                let mut row = Row::new(&variable.name);
                let nothing = Store::default();
                let memo = &mut Memo::default();
                let chosen = self.choose(&nothing.scope(), memo, &set, &mut row, 0);
                chosen.map_err(located)?.value
            } else {
                self.latches(&variable.name, &variable.ty)
                    .map_err(located)?
            };
            self.now.globals.push(bits.clone());
            self.slots.push(Slot {
                name: variable.name.clone(),
                kind: variable.kind,
                bits,
            });
        }
        self.first_values(&fleeting)?;
        let now = self.now.clone();
        let mut memo = Memo::default();
        for &condition in program.initial.iter().chain(&program.state_constraint) {
            let held = self.holds(&now.scope(), &mut memo, condition)?;
            if program.initial.contains(&condition) && held != Lit::TRUE {
                self.circuit.initial.push(held);
            }
            if program.state_constraint.contains(&condition) && held != Lit::TRUE {
                self.circuit.state_constraints.push(held);
            }
        }
        self.memo = memo;
        self.next_values(assigns, &fleeting, &now)
    }

    /// Latches for a value of a type.
    pub(super) fn latches(&mut self, name: &str, ty: &model::Type) -> Result<Bits, Unsupported> {
        let fresh = &mut |this: &mut Self, name: String| this.circuit.latch(name, Reset::Free);
        let bits = self.fresh(ty, name, fresh)?;
        let valid = self.is_valid(ty, &bits);
        if valid != Lit::TRUE {
            self.circuit.invariants.push(valid);
        }
        Ok(bits)
    }

    /// Resets and initial constraints.
    pub(super) fn first_values(&mut self, fleeting: &HashSet<usize>) -> Result<(), Unsupported> {
        let program = self.program;
        // A first value may read those before it; those behind it are still zero.
        let mut before = Store::default();
        for variable in &program.globals {
            before
                .globals
                .push(self.constant(&program.zero(&variable.ty))?);
        }
        for (index, variable) in program.globals.iter().enumerate() {
            let own = self.now.globals[index].clone();
            if !fleeting.contains(&index) {
                let set = first_set(variable);
                let zero = before.globals[index].clone();
                self.first_value(&before, None, variable, set.as_ref(), &own, zero)?;
            }
            before.globals[index] = own;
        }
        Ok(())
    }

    /// What latches hold at first: a member of a set, else what is given.
    pub(super) fn first_value(
        &mut self,
        before: &Store,
        me: Option<usize>,
        variable: &model::Variable,
        set: Option<&ValueSet>,
        own: &Bits,
        otherwise: Bits,
    ) -> Result<(), Unsupported> {
        let memo = &mut Memo::default();
        let scope = Scope {
            me,
            ..before.scope()
        };
        let only = match set {
            None => Some(otherwise),
            Some(ValueSet::One(expr)) => {
                let first = self.eval(&scope, memo, *expr)?;
                let trouble = first.trouble.any(&mut self.circuit.aig);
                if trouble != Lit::FALSE {
                    self.circuit.initial.push(!trouble);
                }
                Some(self.wrapped(first.value, &variable.ty))
            }
            Some(_) => None,
        };
        if only.as_ref().is_some_and(|bits| self.reset_to(own, bits)) {
            return Ok(());
        }
        let is_first = match (&only, set) {
            (Some(bits), _) => self.circuit.aig.eq_value(own, bits),
            (None, Some(set)) => self.is_member(&scope, memo, set, own)?,
            (None, None) => Lit::TRUE,
        };
        let valid = self.is_valid(&variable.ty, own);
        let is_first = self.circuit.aig.and(is_first, valid);
        if is_first != Lit::TRUE {
            self.circuit.initial.push(is_first);
        }
        Ok(())
    }

    fn wrapped(&mut self, bits: Bits, ty: &model::Type) -> Bits {
        match (bits, ty) {
            (Bits::Word(word), model::Type::Int { bits, signed }) => {
                Bits::Word(word.wrapped(usize::from(*bits), *signed))
            }
            (bits, _) => bits,
        }
    }

    /// Gives latches their reset values, if they are constants that fit; says whether they are.
    pub(super) fn reset_to(&mut self, own: &Bits, first: &Bits) -> bool {
        let pairs = zipped(own, first);
        let fits = pairs.iter().all(|&(own, first)| match own.as_constant() {
            Some(_) => own == first,
            None => first.as_constant().is_some(),
        });
        if !fits {
            return false;
        }
        for (own, first) in pairs {
            if let Some(latch) = self.circuit.latch_of(own) {
                self.circuit.latches[latch.index()].reset = match first {
                    Lit::TRUE => Reset::One,
                    _ => Reset::Zero,
                };
            }
        }
        true
    }

    fn next_values(
        &mut self,
        assigns: &[SyncAssign],
        fleeting: &HashSet<usize>,
        now: &Store,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let mut next: Vec<Option<Bits>> = vec![None; program.globals.len()];
        for (index, variable) in program.globals.iter().enumerate() {
            if variable.kind == VariableKind::Frozen {
                next[index] = Some(now.globals[index].clone());
            }
        }
        let mut memo = std::mem::take(&mut self.memo);
        for (global, set) in moves(program, assigns) {
            let index = global.index();
            if fleeting.contains(&index) {
                continue;
            }
            let variable = &program.globals[index];
            let mut row = Row::new(&variable.name);
            let scope = Scope {
                next: &next,
                ..now.scope()
            };
            let chosen =
                self.choose(&scope, &mut memo, &set, &mut row, 0)
                    .map_err(|mut error| {
                        error.span = variable.span;
                        error
                    })?;
            let fits = self.is_valid(&variable.ty, &chosen.value);
            let aig = &mut self.circuit.aig;
            let trouble = chosen.trouble.any(aig);
            let allowed = aig.all(&[chosen.possible, fits, !trouble]);
            if allowed != Lit::TRUE {
                self.circuit.step_constraints.push(allowed);
            }
            for (own, value) in zipped(&now.globals[index], &chosen.value) {
                if self.circuit.latch_of(own).is_some() {
                    self.circuit.set_next(own, value);
                }
            }
            next[index] = Some(chosen.value);
        }
        let scope = Scope {
            next: &next,
            ..now.scope()
        };
        for &condition in &program.relation {
            let held = self.holds(&scope, &mut memo, condition)?;
            if held != Lit::TRUE {
                self.circuit.step_constraints.push(held);
            }
        }
        self.memo = memo;
        Ok(())
    }

    /// The variables that are inputs of the circuit, not latches.
    fn fleeting(&self, assigns: &[SyncAssign]) -> HashSet<usize> {
        let program = self.program;
        let mut fleeting: HashSet<usize> = (0..program.globals.len())
            .filter(|&index| program.globals[index].kind == VariableKind::Input)
            .collect();
        for assign in assigns {
            let first = first_set(&program.globals[assign.global.index()]);
            if first.as_ref() != Some(&assign.next) || !self.is_constant(&assign.next) {
                fleeting.remove(&assign.global.index());
            }
        }
        // Those whose first or next value matters to others.
        let mut early: Vec<ExprId> = [&program.initial[..], &program.state_constraint].concat();
        for variable in &program.globals {
            if let Some(set) = &variable.init {
                set.operands(&mut |id| early.push(id));
            }
        }
        let mut late: Vec<ExprId> = program.relation.clone();
        for assign in assigns {
            assign.next.operands(&mut |id| late.push(id));
        }
        for (roots, next) in [(early, false), (late, true)] {
            let mut open = roots;
            let mut seen = HashSet::new();
            while let Some(id) = open.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match program.exprs.get(id) {
                    Expr::Next(global) if next => {
                        fleeting.remove(&global.index());
                    }
                    Expr::Load(Place {
                        root: Root::Global(global),
                        ..
                    }) if !next => {
                        fleeting.remove(&global.index());
                    }
                    _ => {}
                }
                program.exprs.operands(id, |operand| open.push(operand));
            }
        }
        fleeting
    }

    fn is_constant(&self, set: &ValueSet) -> bool {
        let mut constant = true;
        set.operands(&mut |id| constant &= self.program.exprs.constant(id).is_some());
        constant
    }
}

/// The set that a variable's first value is from; `None`: it is the type's zero.
pub(super) fn first_set(variable: &model::Variable) -> Option<ValueSet> {
    match (&variable.init, variable.kind) {
        (Some(set), _) => Some(set.clone()),
        (None, VariableKind::Input) => Some(ValueSet::All(variable.ty.clone())),
        (None, _) => None,
    }
}

/// What moves in a step, in the order in which a trace tells it.
pub(super) fn moves(program: &model::Program, assigns: &[SyncAssign]) -> Vec<(GlobalId, ValueSet)> {
    let assigned: HashSet<GlobalId> = assigns.iter().map(|assign| assign.global).collect();
    let free = (0..program.globals.len()).map(GlobalId::new).filter(|id| {
        !assigned.contains(id) && program.globals[id.index()].kind != VariableKind::Frozen
    });
    assigns
        .iter()
        .map(|assign| (assign.global, assign.next.clone()))
        .chain(free.map(|id| (id, ValueSet::All(program.globals[id.index()].ty.clone()))))
        .collect()
}

/// The bits of a slot with those of a value for it, which may be narrower or wider.
pub(super) fn zipped(own: &Bits, value: &Bits) -> Vec<(Lit, Lit)> {
    match (own, value) {
        (Bits::Bool(a), Bits::Bool(b)) => vec![(*a, *b)],
        (Bits::Tuple(a), Bits::Tuple(b)) => {
            a.iter().zip(b).flat_map(|(a, b)| zipped(a, b)).collect()
        }
        (a, b) => {
            let (a, b) = (a.word(), b.word());
            let bits = a.bits().iter().enumerate();
            bits.map(|(place, &own)| (own, b.bit(place))).collect()
        }
    }
}
