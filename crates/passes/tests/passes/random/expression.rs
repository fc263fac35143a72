//! Random expressions.

use model::{Binary, Expr, ExprId, LocId, ProcessId, Type, Unary, Value};

use super::{Generator, InReach, TWO_BITS};

impl Generator {
    /// Mathematical integers stay small, so that there are few states.
    pub(super) fn reduced(&mut self, value: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(value).clone();
        let three = self.program.exprs.int(3, ty);
        self.program.exprs.binary(Binary::Rem, value, three)
    }

    pub(super) fn constant(&mut self, ty: &Type, value: i128) -> ExprId {
        match ty {
            Type::Bool => self.program.exprs.bool(value != 0),
            ty => self.program.exprs.int(value, ty.clone()),
        }
    }

    pub(super) fn of_type(&mut self, ty: &Type, reach: &[InReach], depth: usize) -> ExprId {
        if *ty == Type::Bool {
            self.truth(reach, depth)
        } else {
            let value = self.number(reach, depth);
            if self.program.exprs.ty(value) == ty {
                value
            } else {
                self.program.exprs.add(Expr::Convert(value), ty.clone())
            }
        }
    }

    pub(super) fn truth(&mut self, reach: &[InReach], depth: usize) -> ExprId {
        let bools: Vec<InReach> = reach
            .iter()
            .filter(|r| r.ty == Type::Bool)
            .cloned()
            .collect();
        match self.rng.below(10) {
            0 if !bools.is_empty() => {
                let bool = self.rng.pick(&bools).clone();
                self.program.exprs.load(bool.place, bool.ty)
            }
            1 if depth > 0 => {
                let inner = self.truth(reach, depth - 1);
                self.program.exprs.unary(Unary::Not, inner)
            }
            2..4 if depth > 0 => {
                let a = self.truth(reach, depth - 1);
                let b = self.truth(reach, depth - 1);
                let op = *self.rng.pick(&[Binary::And, Binary::Or]);
                self.program.exprs.binary(op, a, b)
            }
            4 => {
                let truth = self.rng.chance(50);
                self.program.exprs.bool(truth)
            }
            5 if !self.channels.is_empty() && self.rng.chance(50) => {
                self.note("channel length");
                let channel = self.program.exprs.int(1, Type::Channel);
                let length = self
                    .program
                    .exprs
                    .add(Expr::ChannelLen(channel), Type::Mathint);
                let zero = self.program.exprs.int(0, Type::Mathint);
                self.program.exprs.binary(Binary::Eq, length, zero)
            }
            6 if self.rng.chance(10) => {
                self.note("nothing enabled");
                self.program.exprs.add(Expr::NothingEnabled, Type::Bool)
            }
            7 if self.rng.chance(10) => {
                self.note("at");
                let instance = self.program.exprs.int(0, Type::Instance);
                self.program.exprs.add(
                    Expr::At {
                        instance,
                        process: ProcessId(0),
                        location: LocId(1),
                    },
                    Type::Bool,
                )
            }
            _ => {
                let a = self.number(reach, depth.saturating_sub(1));
                let b = self.number(reach, depth.saturating_sub(1));
                let op = *self
                    .rng
                    .pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le]);
                self.program.exprs.binary(op, a, b)
            }
        }
    }

    pub(super) fn number(&mut self, reach: &[InReach], depth: usize) -> ExprId {
        let numbers: Vec<InReach> = reach
            .iter()
            .filter(|r| r.ty.is_integer())
            .cloned()
            .collect();
        match self.rng.below(10) {
            0..4 if !numbers.is_empty() => {
                let number = self.rng.pick(&numbers).clone();
                self.program.exprs.load(number.place, number.ty)
            }
            4..7 if depth > 0 => {
                let a = self.number(reach, depth - 1);
                let b = self.number(reach, depth - 1);
                let op = *self.rng.pick(&[
                    Binary::Add,
                    Binary::Sub,
                    Binary::Mul,
                    Binary::Div,
                    Binary::Rem,
                    Binary::Add,
                ]);
                if matches!(op, Binary::Div | Binary::Rem) {
                    self.note("division");
                }
                self.program.exprs.binary(op, a, b)
            }
            7 if depth > 0 => {
                let cond = self.truth(reach, depth - 1);
                let a = self.number(reach, depth - 1);
                let ty = self.program.exprs.ty(a).clone();
                let b = self.constant(&ty, 1);
                self.program.exprs.add(Expr::Ite(cond, a, b), ty)
            }
            _ => {
                let value = self.rng.below(3) as i128;
                self.program.exprs.value(Value::Int(value), TWO_BITS)
            }
        }
    }
}
