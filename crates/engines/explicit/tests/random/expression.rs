//! Random expressions: numbers, truths, sets, and places that small numbers fit into.

use model::*;

use super::{Here, INT8, Maker, NIBBLE, SHIFTED, SMALL};

impl Maker<'_> {
    /// Somewhere a small number can go.
    pub(super) fn place(&mut self, here: &Here) -> Place {
        match self.random.below(8) {
            0 | 1 if here.process.is_some() => Place::own(1 + self.random.below(2)),
            2 if here.procedure => Place::frame(self.random.below(2)),
            3 => {
                self.used("array");
                let index = if self.wild && self.random.chance(30) {
                    self.arithmetic(here, 1)
                } else {
                    let a = self.truth(here, 1);
                    let (zero, one) = (self.number(0), self.number(1));
                    self.p.exprs.add(Expr::Ite(a, zero, one), INT8)
                };
                Place {
                    root: Root::Global(self.array),
                    path: vec![Projection::Index(index)],
                }
            }
            4 => Place {
                root: Root::Global(self.record),
                path: vec![Projection::Field(1)],
            },
            _ => {
                let (id, _) = self.random.pick(&self.numbers[..3]);
                Place::global(id)
            }
        }
    }

    /// A number that fits everywhere.
    pub(super) fn in_range(&mut self, here: &Here) -> ExprId {
        if self.random.chance(40) {
            let n = self.random.below(3) as i128;
            return self.number(n);
        }
        let value = self.arithmetic(here, 1);
        let three = self.number(3);
        let rest = self
            .p
            .exprs
            .add(Expr::Binary(Binary::Rem, value, three), INT8);
        let zero = self.number(0);
        let low = self.p.exprs.binary(Binary::Lt, rest, zero);
        self.p.exprs.add(Expr::Ite(low, zero, rest), INT8)
    }

    /// A set that can be evaluated without a fault: the interpreter asks for the value that a
    /// trace gives before it looks at the set.
    pub(super) fn set(&mut self, here: &Here) -> ValueSet {
        let wild = std::mem::replace(&mut self.wild, false);
        let set = self.any_set(here);
        self.wild = wild;
        set
    }

    pub(super) fn any_set(&mut self, here: &Here) -> ValueSet {
        match self.random.below(5) {
            0 => ValueSet::All(SMALL),
            1 => ValueSet::Union(vec![
                ValueSet::One(self.in_range(here)),
                ValueSet::One(self.in_range(here)),
            ]),
            2 => {
                let cond = self.truth(here, 1);
                let (zero, one) = (self.number(0), self.number(1));
                ValueSet::Ite(
                    cond,
                    Box::new(ValueSet::Between(zero, one)),
                    Box::new(ValueSet::One(self.in_range(here))),
                )
            }
            3 => ValueSet::One(self.in_range(here)),
            _ => {
                let (lo, hi) = (self.number(0), self.in_range(here));
                ValueSet::Between(lo, hi)
            }
        }
    }

    /// A number, of any size.
    pub(super) fn arithmetic(&mut self, here: &Here, depth: usize) -> ExprId {
        if depth == 0 || self.random.chance(30) {
            return self.leaf(here);
        }
        let a = self.arithmetic(here, depth - 1);
        let b = self.arithmetic(here, depth - 1);
        let ops = [
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::BitAnd,
            Binary::BitOr,
            Binary::BitXor,
            Binary::Shl,
            Binary::Shr,
            Binary::Div,
            Binary::Rem,
        ];
        let op = self.random.pick(if self.wild { &ops } else { &ops[..8] });
        if matches!(op, Binary::Div | Binary::Rem) {
            self.used("division");
        }
        match self.random.below(8) {
            0 => {
                let cond = self.truth(here, 1);
                self.p.exprs.add(Expr::Ite(cond, a, b), INT8)
            }
            1 => {
                let unary = self.random.pick(&[Unary::Neg, Unary::BitNot]);
                self.p.exprs.add(Expr::Unary(unary, a), INT8)
            }
            2 => self.p.exprs.add(Expr::Convert(a), NIBBLE),
            3 if !matches!(op, Binary::Shl | Binary::Shr) => {
                self.used("exact arithmetic");
                self.p.exprs.add(Expr::Binary(op, a, b), Type::Mathint)
            }
            4 => self.p.exprs.add(Expr::Binary(op, a, b), NIBBLE),
            _ => self.p.exprs.add(Expr::Binary(op, a, b), INT8),
        }
    }

    pub(super) fn leaf(&mut self, here: &Here) -> ExprId {
        match self.random.below(13) {
            0 | 1 => {
                let n = self.random.below(5) as i128 - 1;
                self.number(n)
            }
            2 | 3 if here.process.is_some() => {
                let (local, ty) =
                    self.random
                        .pick(&[(0, NIBBLE), (1, SMALL), (2, NIBBLE), (4, NIBBLE)]);
                self.p.exprs.load(Place::own(local), ty)
            }
            4 if here.procedure => {
                let local = self.random.below(2);
                let ty = [SHIFTED, SMALL][local].clone();
                self.p.exprs.load(Place::frame(local), ty)
            }
            5 if here.arguments > 0 => self.p.exprs.load(Root::Argument(0).into(), INT8),
            6 => {
                let outside = self.wild && self.random.chance(5);
                let index = self.number(if outside { 2 } else { 1 });
                let place = Place {
                    root: Root::Global(self.array),
                    path: vec![Projection::Index(index)],
                };
                self.p.exprs.load(place, SMALL)
            }
            7 => {
                self.used("remote reference");
                let instance = self.random.below(3) as i128;
                let instance = self.p.exprs.int(instance, Type::Instance);
                let process = self.some_process();
                let place = Root::Remote {
                    instance,
                    process,
                    local: 1,
                }
                .into();
                self.p.exprs.load(place, SMALL)
            }
            8 => {
                let channel = self.random.pick(&self.queues);
                let reference = self.p.exprs.int(i128::from(channel.0) + 1, Type::Channel);
                let process = ProcessId::new(self.random.below(self.templates));
                let expr = self.random.pick(&[
                    Expr::ChannelLen(reference),
                    Expr::ChannelCapacity(reference),
                    Expr::InstanceCount,
                    Expr::First(process),
                ]);
                self.p.exprs.add(expr, INT8)
            }
            9 if here.process.is_some() => self.p.exprs.add(Expr::Me, Type::Instance),
            10 => {
                let place = Place {
                    root: Root::Global(self.record),
                    path: vec![Projection::Field(1)],
                };
                self.p.exprs.load(place, SMALL)
            }
            11 if self.random.chance(60) => {
                self.used("step variable");
                self.p.exprs.load(Place::global(self.step_number), SMALL)
            }
            11 => self.p.exprs.load(Place::global(self.runner), NIBBLE),
            _ => {
                let (id, ty) = self.random.pick(&self.numbers);
                self.p.exprs.load(Place::global(id), ty)
            }
        }
    }

    pub(super) fn truth(&mut self, here: &Here, depth: usize) -> ExprId {
        if depth > 0 && self.random.chance(35) {
            let a = self.truth(here, depth - 1);
            let b = self.truth(here, depth - 1);
            return match self.random.below(4) {
                0 => self.p.exprs.binary(Binary::And, a, b),
                1 => self.p.exprs.binary(Binary::Or, a, b),
                2 => self.p.exprs.binary(Binary::BitXor, a, b),
                _ => self.p.exprs.not(a),
            };
        }
        match self.random.below(12) {
            0 | 1 => {
                let flag = self.random.pick(&self.flags);
                self.p.exprs.load(Place::global(flag), Type::Bool)
            }
            2 => {
                self.used("location of another");
                if self.random.chance(30) {
                    let places = (0..2).map(|_| {
                        let process = ProcessId::new(self.random.below(self.templates));
                        (process, LocId::new(self.random.below(3)))
                    });
                    let places = Expr::AnyAt(places.collect());
                    return self.p.exprs.add(places, Type::Bool);
                }
                let instance = self.random.below(3) as i128;
                let instance = if self.random.chance(30) && here.process.is_some() {
                    self.p.exprs.load(Place::own(1), SMALL)
                } else {
                    self.p.exprs.int(instance, Type::Instance)
                };
                let process = self.some_process();
                let location = LocId::new(self.random.below(3));
                self.p.exprs.add(
                    Expr::At {
                        instance,
                        process,
                        location,
                    },
                    Type::Bool,
                )
            }
            3 if here.process.is_some() && !here.procedure => {
                if self.random.chance(20) {
                    self.used("enabledness");
                    let instance = self.random.below(3) as i128;
                    let instance = self.p.exprs.int(instance, Type::Instance);
                    return self.p.exprs.add(Expr::Enabled(instance), Type::Bool);
                }
                self.used("timeout");
                self.p.exprs.add(Expr::NothingEnabled, Type::Bool)
            }
            4 => {
                self.used("poll");
                let reference = self.p.exprs.int(2, Type::Channel);
                let wanted = self.in_range(here);
                let patterns = vec![self.random.chance(70).then_some(wanted)];
                let expr = Expr::Poll {
                    channel: reference,
                    patterns,
                    anywhere: false,
                };
                self.p.exprs.add(expr, Type::Bool)
            }
            5 => {
                let a = self.p.exprs.load(Place::global(self.text), Type::Rich);
                let word = self.p.rich.text("odd");
                let b = self.p.exprs.value(word, Type::Rich);
                self.p.exprs.binary(Binary::Eq, a, b)
            }
            6 => {
                let ty = self.p.globals[self.record.index()].ty.clone();
                let a = self.p.exprs.load(Place::global(self.record), ty.clone());
                let flag = self.p.exprs.bool(true);
                let n = self.number(1);
                let b = self.p.exprs.add(Expr::Tuple(vec![flag, n]), ty);
                self.p.exprs.binary(Binary::Ne, a, b)
            }
            7 => {
                let a = self.arithmetic(here, 1);
                self.p.exprs.add(Expr::Convert(a), Type::Bool)
            }
            _ => {
                let a = self.arithmetic(here, 1);
                let b = self.arithmetic(here, 1);
                let op = self
                    .random
                    .pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le]);
                self.p.exprs.binary(op, a, b)
            }
        }
    }
}
