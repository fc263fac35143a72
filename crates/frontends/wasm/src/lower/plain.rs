//! Instructions that neither branch nor call.

use model::{Binary, ExprId};
use source::Span;
use wasmparser::{Operator, ValType};

use super::arithmetic::{I32, I64, converted, either, result, truth, two, unsigned};
use super::code::Running;
use super::values::{Val, numeric};
use super::{Lowering, MAX_EXPRESSION};
use crate::decode::Instr;

impl Lowering<'_> {
    pub(super) fn plain(&mut self, instr: &Instr<'_>, run: &mut Running, span: Span) {
        match &instr.operator {
            Operator::Drop => {
                run.pop();
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(run),
            Operator::LocalGet { local_index } => {
                let local = run.locals.get(*local_index as usize).cloned();
                let values = self.loads(&local.into_iter().collect());
                run.stack.extend(values);
            }
            Operator::LocalSet { local_index } => {
                let value = run.pop();
                self.set_local(*local_index, value, run);
            }
            Operator::LocalTee { local_index } => {
                let mut value = run.pop();
                value.expr = value.expr.map(|expr| self.kept(expr));
                self.set_local(*local_index, value, run);
                run.stack.push(value);
            }
            Operator::GlobalGet { global_index } => {
                let value = self.global(*global_index, run);
                run.stack.push(value);
            }
            Operator::GlobalSet { global_index } => {
                let value = run.pop();
                let global = self.store.instances[run.instance].globals[*global_index as usize];
                self.now_written.globals.insert(global);
                if let Some(place) = self.globals[global].clone() {
                    self.keep_readers(&mut run.stack, &place);
                    self.assign_all(&vec![(value.ty, Some(place))], &[value]);
                }
            }
            Operator::I32Const { value } => {
                let value = self.pool().int(i128::from(*value), I32);
                run.stack.push(Val::number(ValType::I32, value));
            }
            Operator::I64Const { value } => {
                let value = self.pool().int(i128::from(*value), I64);
                run.stack.push(Val::number(ValType::I64, value));
            }
            Operator::I32DivS
            | Operator::I32DivU
            | Operator::I32RemS
            | Operator::I32RemU
            | Operator::I64DivS
            | Operator::I64DivU
            | Operator::I64RemS
            | Operator::I64RemU => self.division(&instr.operator, run, span),
            operator if is_followed_no_further(operator) => {
                let name = format!("{operator:?}");
                let name = name.split([' ', '{', '(']).next().unwrap_or_default();
                self.sink(&format!("the instruction `{name}`"), span);
            }
            _ => self.computed(instr, run, span),
        }
    }

    fn select(&mut self, run: &mut Running) {
        let cond = self.condition(run);
        let (other, then) = (run.pop(), run.pop());
        let value = match (then.expr, other.expr) {
            (Some(a), Some(b)) => {
                let value = either(self.pool(), cond, a, b);
                Val::number(then.ty, value)
            }
            _ => self.any_value(then.ty, "a value that is not followed", false),
        };
        run.stack.push(value);
    }

    fn set_local(&mut self, index: u32, value: Val, run: &mut Running) {
        let Some((ty, place)) = run.locals.get(index as usize).cloned() else {
            return;
        };
        if let Some(place) = &place {
            self.keep_readers(&mut run.stack, place);
        }
        self.assign_all(&vec![(ty, place)], &[value]);
    }

    fn global(&mut self, index: u32, run: &Running) -> Val {
        let at = self.store.instances[run.instance].globals[index as usize];
        let global = &self.store.globals[at];
        match (self.globals[at].clone(), numeric(global.ty)) {
            (Some(place), Some(model)) => Val::number(global.ty, self.pool().load(place, model)),
            (None, Some(model)) => match global.value {
                crate::decode::Value::Number(known) => {
                    let known = self.pool().int(i128::from(known), model);
                    Val::number(global.ty, known)
                }
                _ => self.any_value(global.ty, "a global", false),
            },
            _ => Val::opaque(global.ty),
        }
    }

    /// Division traps at zero, and where the quotient has no room.
    fn division(&mut self, operator: &Operator<'_>, run: &mut Running, span: Span) {
        let (right, left) = (run.pop(), run.pop());
        let (Some(a), Some(b)) = (left.expr, right.expr) else {
            // Whether it traps is not known either.
            let trap = self.any_truth("whether a division traps", false);
            self.trap_if(trap, span);
            let value = self.any_value(left.ty, "a quotient", false);
            run.stack.push(value);
            return;
        };
        self.keep_all(&mut run.stack);
        let (a, b) = (self.kept(a), self.kept(b));
        let nonzero = truth(self.pool(), b);
        let zero = self.pool().not(nonzero);
        self.trap_if(zero, span);
        let is_signed = matches!(
            operator,
            Operator::I32DivS | Operator::I64DivS | Operator::I32RemS | Operator::I64RemS
        );
        let is_quotient = matches!(
            operator,
            Operator::I32DivS | Operator::I64DivS | Operator::I32DivU | Operator::I64DivU
        );
        let op = match is_quotient {
            true => Binary::Div,
            false => Binary::Rem,
        };
        let value = match is_signed {
            true => self.signed_division(op, a, b, span),
            false => {
                let ty = self.program.exprs.ty(a).clone();
                let (a, b) = (unsigned(self.pool(), a), unsigned(self.pool(), b));
                let value = two(self.pool(), op, a, b);
                converted(self.pool(), value, &ty)
            }
        };
        if self.is_live() {
            let value = self.kept(value);
            run.stack.push(Val::number(left.ty, value));
        }
    }

    fn signed_division(&mut self, op: Binary, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ty = self.program.exprs.ty(a).clone();
        let minus = self.pool().int(-1, ty.clone());
        let is_minus = two(self.pool(), Binary::Eq, b, minus);
        let least = ty.bounds().map_or(0, |(least, _)| least);
        let least = self.pool().int(least, ty.clone());
        let is_least = two(self.pool(), Binary::Eq, a, least);
        if op == Binary::Div {
            let overflows = two(self.pool(), Binary::And, is_least, is_minus);
            self.trap_if(overflows, span);
            return two(self.pool(), op, a, b);
        }
        // A remainder by minus one is zero, also where the quotient has no room.
        let zero = self.pool().int(0, ty.clone());
        let one = self.pool().int(1, ty);
        let divisor = either(self.pool(), is_minus, one, b);
        let value = two(self.pool(), op, a, divisor);
        either(self.pool(), is_minus, zero, value)
    }

    /// All other instructions: those on numbers are computed, of others nothing is known.
    fn computed(&mut self, instr: &Instr<'_>, run: &mut Running, span: Span) {
        let args = run.pop_many(instr.pops as usize);
        if self.memory_instruction(instr, &args, run, span) {
            return;
        }
        let exprs: Option<Vec<ExprId>> = args.iter().map(|value| value.expr).collect();
        if let Some(exprs) = exprs
            && let [ty] = *instr.pushes
            && numeric(ty).is_some()
            && let Some(value) = result(self.pool(), &instr.operator, &exprs)
        {
            let value = match self.program.exprs.written_out(value) > MAX_EXPRESSION {
                true => self.kept(value),
                false => value,
            };
            run.stack.push(Val::number(ty, value));
            return;
        }
        if may_trap(&instr.operator) {
            let trap = self.any_truth("whether an instruction traps", false);
            self.keep_all(&mut run.stack);
            self.trap_if(trap, span);
        }
        let is_truth = is_comparison(&instr.operator);
        for &ty in &instr.pushes {
            let value = match is_truth {
                true => {
                    let truth = self.any_truth("a comparison that is not followed", false);
                    Val::number(ty, converted(self.pool(), truth, &I32))
                }
                false => self.any_value(ty, "a value that is not followed", false),
            };
            run.stack.push(value);
        }
    }
}

/// Whether an instruction gives 0 or 1.
fn is_comparison(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::F32Eq
            | Operator::F32Ne
            | Operator::F32Lt
            | Operator::F32Gt
            | Operator::F32Le
            | Operator::F32Ge
            | Operator::F64Eq
            | Operator::F64Ne
            | Operator::F64Lt
            | Operator::F64Gt
            | Operator::F64Le
            | Operator::F64Ge
            | Operator::RefIsNull
    )
}

/// Whether an instruction of which nothing is known otherwise may trap.
fn may_trap(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::I32TruncF32S
            | Operator::I32TruncF32U
            | Operator::I32TruncF64S
            | Operator::I32TruncF64U
            | Operator::I64TruncF32S
            | Operator::I64TruncF32U
            | Operator::I64TruncF64S
            | Operator::I64TruncF64U
            | Operator::TableGet { .. }
            | Operator::TableSet { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
            | Operator::RefAsNonNull
    )
}

/// Whether nothing is said of what an instruction does: those that leave, branch or call in ways that
/// are not followed, and those of threads.
fn is_followed_no_further(operator: &Operator<'_>) -> bool {
    macro_rules! of_proposals {
        ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*) )*) => {
            match operator {
                $( Operator::$op $({ $($arg: _),* })? => followed!($proposal), )*
                // Proposals that are not there yet.
                _ => false,
            }
        };
    }
    macro_rules! followed {
        (mvp) => {
            false
        };
        (sign_extension) => {
            false
        };
        (saturating_float_to_int) => {
            false
        };
        (bulk_memory) => {
            false
        };
        (simd) => {
            false
        };
        (relaxed_simd) => {
            false
        };
        (reference_types) => {
            false
        };
        (wide_arithmetic) => {
            false
        };
        (tail_call) => {
            false
        };
        ($other:ident) => {
            true
        };
    }
    wasmparser::for_each_operator!(of_proposals)
}
