//! Expressions.

use model::{Binary, Expr, ExprId, Type, Unary, Value};

use super::{Compiler, DEPTH, Label, Result, Scope, WRITTEN_OUT, small};
use crate::ir::instruction::{ApplySite, ChannelSite, Op, Slot};
use crate::ir::layout::{ChannelSlots, flat_value, size, unsupported};
use crate::ir::number::as_i64;

impl Compiler<'_> {
    /// Code is written out: for what is used twice, twice.
    fn within_reason(&self, id: ExprId) -> Result<()> {
        if self.analysis.depth[id.index()] > DEPTH {
            return unsupported("expressions nested so deeply");
        }
        if self.program.exprs.written_out(id) > WRITTEN_OUT {
            return unsupported("expressions that share so much");
        }
        Ok(())
    }

    /// Code that computes an expression; says where the value is. That may be the variable
    /// itself, so it must be used before anything is written.
    pub(super) fn expr(&mut self, scope: Scope<'_>, id: ExprId) -> Result<Slot> {
        self.expr_into(scope, id, None)
    }

    /// The same, with a wish where the value should be. Nothing is written there before all that
    /// the expression reads has been read.
    pub(super) fn expr_into(
        &mut self,
        scope: Scope<'_>,
        id: ExprId,
        wish: Option<Slot>,
    ) -> Result<Slot> {
        self.within_reason(id)?;
        let program = self.program;
        let ty = program.exprs.ty(id);
        if let Some(value) = self.known(scope.me, id) {
            let a = self.constant(value)?;
            return self.placed(a, 1, wish);
        }
        match program.exprs.get(id) {
            Expr::Const(value) => {
                let mut slots = Vec::new();
                flat_value(value, &mut slots)?;
                let a = self.constants(&slots)?;
                self.placed(a, slots.len(), wish)
            }
            Expr::Load(place) => self.load(scope, place, ty, wish),
            Expr::Next(_) => unsupported("relations between states"),
            Expr::Unary(op, operand) => {
                let a = self.expr(scope, *operand)?;
                let d = self.wished(wish, 1)?;
                match op {
                    Unary::Not => self.emit(Op::Not { d, a }),
                    Unary::Neg => {
                        let zero = self.constant(0)?;
                        self.arithmetic(Binary::Sub, ty, d, zero, a)?;
                    }
                    Unary::BitNot => {
                        self.emit(Op::BitNot { d, a });
                        self.wrap(ty, d, d);
                    }
                }
                Ok(d)
            }
            Expr::Binary(op, left, right) => self.binary(scope, id, *op, *left, *right, wish),
            Expr::Ite(cond, then, otherwise) => {
                let size = size(program, ty)?;
                let d = self.wished(wish, size)?;
                let (no, end) = (self.label(), self.label());
                self.branch(scope, *cond, no, false)?;
                let a = self.expr(scope, *then)?;
                self.copy(d, a, size)?;
                self.jump(end);
                self.bind(no);
                let a = self.expr(scope, *otherwise)?;
                self.copy(d, a, size)?;
                self.bind(end);
                Ok(d)
            }
            Expr::Convert(operand) => {
                let from = program.exprs.ty(*operand);
                let a = self.expr(scope, *operand)?;
                if *ty == Type::Bool {
                    if *from == Type::Bool {
                        return self.placed(a, 1, wish);
                    }
                    let d = self.wished(wish, 1)?;
                    self.emit(Op::ToBool { d, a });
                    return Ok(d);
                }
                if !matches!(ty, Type::Int { .. }) || self.always_fits(*operand, ty) {
                    return self.placed(a, 1, wish);
                }
                let d = self.wished(wish, 1)?;
                self.wrap(ty, d, a);
                Ok(d)
            }
            Expr::Tuple(items) => {
                // Elements may read what the tuple is assigned to, so it is built aside.
                let total = size(program, ty)?;
                let first = self.temporary(total)?;
                let mut at = first;
                for &item in items {
                    let width = size(program, program.exprs.ty(item))?;
                    let a = self.expr(scope, item)?;
                    self.copy(at, a, width)?;
                    at += small::<u16>(width, "fields")?;
                }
                self.placed(first, total, wish)
            }
            Expr::Apply(function, args) => {
                let (mut slots, mut key) = (Vec::new(), Vec::new());
                for &arg in args {
                    let (first, ty) = (self.expr(scope, arg)?, program.exprs.ty(arg));
                    let width = small::<u16>(size(program, ty)?, "fields")?;
                    key.extend(first..first + width);
                    slots.push((first, ty.clone()));
                }
                let d = self.wished(wish, size(program, ty)?)?;
                let to = scope.fault.0;
                self.fault_targets.insert(scope.fault);
                self.apply.push(ApplySite {
                    function: function.index(),
                    memo: 0,
                    args: slots,
                    key: key.into_boxed_slice(),
                    d,
                    site: scope.site,
                    to,
                });
                let site = small(self.apply.len() - 1, "calls of library functions")?;
                self.emit(Op::Apply { site });
                Ok(d)
            }
            Expr::At {
                instance,
                process,
                location,
            } => {
                let d = self.wished(wish, 1)?;
                self.at(scope, (*instance, *process, *location), d)?;
                Ok(d)
            }
            Expr::AnyAt(places) => {
                let d = self.wished(wish, 1)?;
                self.any_at(places, d)?;
                Ok(d)
            }
            Expr::First(process) => {
                let d = self.wished(wish, 1)?;
                self.first(*process, d)?;
                Ok(d)
            }
            Expr::Enabled(instance) => {
                let a = self.expr(scope, *instance)?;
                let d = self.wished(wish, 1)?;
                self.emit(Op::Enabled { d, a });
                Ok(d)
            }
            Expr::NothingEnabled => {
                let d = self.wished(wish, 1)?;
                self.emit(Op::NothingEnabled { d });
                Ok(d)
            }
            Expr::Me => {
                let Some(me) = scope.me else {
                    return unsupported("`me` where no instance is");
                };
                let a = self.constant(as_i64(self.number(me)))?;
                self.placed(a, 1, wish)
            }
            Expr::InstanceCount => {
                let d = self.wished(wish, 1)?;
                self.emit(Op::Count { d });
                Ok(d)
            }
            Expr::ChannelLen(channel) => {
                let d = self.wished(wish, 1)?;
                self.per_channel(scope, *channel, |cx, number| {
                    let a = cx.state_slot(cx.layout.channels[number].len);
                    cx.emit(Op::Copy { d, a });
                    Ok(())
                })?;
                Ok(d)
            }
            Expr::ChannelCapacity(channel) => {
                let d = self.wished(wish, 1)?;
                self.per_channel(scope, *channel, |cx, number| {
                    let capacity = cx.layout.channels[number].capacity;
                    let a = cx.constant(i64::try_from(capacity).expect("a small capacity"))?;
                    cx.emit(Op::Copy { d, a });
                    Ok(())
                })?;
                Ok(d)
            }
            Expr::Poll {
                channel,
                patterns,
                anywhere,
            } => {
                let mut wanted = Vec::new();
                for pattern in patterns {
                    wanted.push(match pattern {
                        Some(pattern) => Some(self.expr(scope, *pattern)?),
                        None => None,
                    });
                }
                let d = self.temporary(1)?;
                let minus = self.constant(-1)?;
                self.emit(Op::Copy { d, a: minus });
                self.per_channel(scope, *channel, |cx, number| {
                    cx.find_message(number, &wanted, *anywhere, d)
                })?;
                let found = self.wished(wish, 1)?;
                self.emit(Op::Lt {
                    d: found,
                    a: minus,
                    b: d,
                });
                Ok(found)
            }
        }
    }

    /// The position of a matching message in a channel that keeps some, or -1.
    pub(super) fn find_message(
        &mut self,
        channel: usize,
        wanted: &[Option<Slot>],
        anywhere: bool,
        d: Slot,
    ) -> Result<()> {
        let declaration = self.layout.channels[channel].declaration;
        let fields = &self.program.channels[declaration.index()].fields;
        let mut slots = Vec::new();
        let mut offset = 0;
        for (field, wanted) in fields.iter().zip(wanted) {
            let width = size(self.program, field)?;
            if let Some(slot) = wanted {
                for part in 0..width {
                    slots.push((offset + part, slot + small::<u16>(part, "fields")?));
                }
            }
            offset += width;
        }
        let ChannelSlots {
            len,
            messages,
            width,
            ..
        } = self.layout.channels[channel];
        let site = ChannelSite::Find {
            len: self.state_slot(len),
            messages: self.state_slot(messages),
            width,
            wanted: slots,
            anywhere,
            d,
        };
        self.channel_op(site)
    }

    pub(super) fn channel_op(&mut self, site: ChannelSite) -> Result<()> {
        self.channel.push(site);
        let site = small(self.channel.len() - 1, "uses of channels")?;
        self.emit(Op::Channel { site });
        Ok(())
    }

    fn wished(&mut self, wish: Option<Slot>, size: usize) -> Result<Slot> {
        match wish {
            Some(slot) => Ok(slot),
            None => self.temporary(size),
        }
    }

    /// A value that is somewhere, brought to where it is wished.
    fn placed(&mut self, a: Slot, size: usize, wish: Option<Slot>) -> Result<Slot> {
        match wish {
            Some(d) => {
                self.copy(d, a, size)?;
                Ok(d)
            }
            None => Ok(a),
        }
    }

    fn binary(
        &mut self,
        scope: Scope<'_>,
        id: ExprId,
        op: Binary,
        left: ExprId,
        right: ExprId,
        wish: Option<Slot>,
    ) -> Result<Slot> {
        let program = self.program;
        let ty = program.exprs.ty(id);
        let width = size(program, program.exprs.ty(left))?;
        let compares = matches!(op, Binary::Eq | Binary::Ne);
        let branches = match op {
            Binary::And | Binary::Or => {
                self.analysis.can_fault[right.index()] || self.analysis.depth[right.index()] > 2
            }
            _ => compares && width != 1,
        };
        if branches {
            let d = self.wished(wish, 1)?;
            let no = self.label();
            self.branch(scope, id, no, false)?;
            self.true_here_false_at(no, d)?;
            return Ok(d);
        }
        let a = self.expr(scope, left)?;
        let b = self.expr(scope, right)?;
        let d = self.wished(wish, 1)?;
        match op {
            Binary::And => self.emit(Op::BitAnd { d, a, b }),
            Binary::Or => self.emit(Op::BitOr { d, a, b }),
            Binary::Eq => self.emit(Op::Eq { d, a, b }),
            Binary::Ne => self.emit(Op::Ne { d, a, b }),
            Binary::Lt => self.emit(Op::Lt { d, a, b }),
            Binary::Le => self.emit(Op::Le { d, a, b }),
            Binary::Offset => return unsupported("pointers"),
            Binary::Div | Binary::Rem => {
                if !matches!(program.exprs.constant(right), Some(Value::Int(n)) if *n != 0) {
                    let zero = self.constant(0)?;
                    let to = self.fault_label(scope, program.division_fault).0;
                    self.emit(Op::JumpEq { a: b, b: zero, to });
                }
                self.arithmetic(op, ty, d, a, b)?;
            }
            _ => self.arithmetic(op, ty, d, a, b)?,
        }
        Ok(d)
    }

    /// An operation on numbers, exact and then reduced to the type.
    fn arithmetic(&mut self, op: Binary, ty: &Type, d: Slot, a: Slot, b: Slot) -> Result<()> {
        let int32 = *ty == Type::INT32;
        let machine = matches!(ty, Type::Int { .. });
        match op {
            Binary::Add if int32 => self.emit(Op::Add32 { d, a, b }),
            Binary::Sub if int32 => self.emit(Op::Sub32 { d, a, b }),
            Binary::Mul if int32 => self.emit(Op::Mul32 { d, a, b }),
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div if machine => {
                // The wish may be an operand; only the last instruction may write there.
                let t = self.temporary(1)?;
                self.emit(match op {
                    Binary::Add => Op::Add { d: t, a, b },
                    Binary::Sub => Op::Sub { d: t, a, b },
                    Binary::Mul => Op::Mul { d: t, a, b },
                    _ => Op::Div { d: t, a, b },
                });
                self.wrap(ty, d, t);
            }
            Binary::Add => self.emit(Op::AddExact { d, a, b }),
            Binary::Sub => self.emit(Op::SubExact { d, a, b }),
            Binary::Mul => self.emit(Op::MulExact { d, a, b }),
            Binary::Div => self.emit(Op::DivExact { d, a, b }),
            Binary::Rem => {
                self.emit(Op::Rem { d, a, b });
                self.wrap_in_place(ty, d);
            }
            Binary::BitAnd => {
                self.emit(Op::BitAnd { d, a, b });
                self.wrap_in_place(ty, d);
            }
            Binary::BitOr => {
                self.emit(Op::BitOr { d, a, b });
                self.wrap_in_place(ty, d);
            }
            Binary::BitXor => {
                self.emit(Op::BitXor { d, a, b });
                self.wrap_in_place(ty, d);
            }
            Binary::Shl | Binary::Shr => {
                let Type::Int { bits, .. } = *ty else {
                    return unsupported("shifts of anything but machine integers");
                };
                let count = self.temporary(1)?;
                self.emit(Op::Modulo {
                    d: count,
                    a: b,
                    by: bits,
                });
                let t = self.temporary(1)?;
                self.emit(if op == Binary::Shl {
                    Op::Shl { d: t, a, b: count }
                } else {
                    Op::Shr { d: t, a, b: count }
                });
                self.wrap(ty, d, t);
            }
            _ => return unsupported(format!("{op:?} on numbers")),
        }
        Ok(())
    }

    fn wrap_in_place(&mut self, ty: &Type, d: Slot) {
        if matches!(ty, Type::Int { .. }) {
            self.wrap(ty, d, d);
        }
    }

    /// Reduces a number to a machine integer type; other types keep it.
    pub(super) fn wrap(&mut self, ty: &Type, d: Slot, a: Slot) {
        match *ty {
            Type::Int { bits, signed: true } if bits < 64 => {
                self.emit(Op::WrapSigned { d, a, bits });
            }
            Type::Int {
                bits,
                signed: false,
            } if bits < 64 => {
                self.emit(Op::WrapUnsigned { d, a, bits });
            }
            _ if d == a => {}
            _ => self.emit(Op::Copy { d, a }),
        }
    }

    /// Whether every value of the expression is one of the type's.
    pub(super) fn always_fits(&self, id: ExprId, ty: &Type) -> bool {
        let Some((lo, hi)) = ty.bounds() else {
            return true;
        };
        self.value_bounds(id, 8)
            .is_some_and(|(least, most)| lo <= least && most <= hi)
    }

    fn value_bounds(&self, id: ExprId, depth: u32) -> Option<(i128, i128)> {
        let pool = &self.program.exprs;
        let depth = depth.checked_sub(1)?;
        match (pool.get(id), pool.ty(id)) {
            (Expr::Const(Value::Int(n)), _) => Some((*n, *n)),
            (Expr::Const(Value::Bool(b)), _) => Some((i128::from(*b), i128::from(*b))),
            (Expr::Ite(_, a, b), _) => {
                let (a, b) = (self.value_bounds(*a, depth)?, self.value_bounds(*b, depth)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            // What variables hold has been checked; what is computed has not.
            (Expr::Load(_), ty @ Type::Range { .. }) => ty.bounds(),
            (_, ty @ (Type::Bool | Type::Int { .. })) => ty.bounds(),
            (Expr::Convert(operand), _) => self.value_bounds(*operand, depth),
            _ => None,
        }
    }

    /// Jumps if the truth of an expression is `when`, else falls through.
    pub(super) fn branch(
        &mut self,
        scope: Scope<'_>,
        id: ExprId,
        to: Label,
        when: bool,
    ) -> Result<()> {
        self.within_reason(id)?;
        let program = self.program;
        if let Some(value) = self.known(scope.me, id) {
            if (value != 0) == when {
                self.jump(to);
            }
            return Ok(());
        }
        let saved = self.next_temporary;
        match program.exprs.get(id) {
            Expr::Unary(Unary::Not, operand) => self.branch(scope, *operand, to, !when)?,
            Expr::Binary(op @ (Binary::And | Binary::Or), left, right) => {
                // `and` leaves early when false, `or` when true.
                let early = *op == Binary::Or;
                if when == early {
                    self.branch(scope, *left, to, when)?;
                    self.branch(scope, *right, to, when)?;
                } else {
                    let past = self.label();
                    self.branch(scope, *left, past, early)?;
                    self.branch(scope, *right, to, when)?;
                    self.bind(past);
                }
            }
            Expr::Binary(op @ (Binary::Eq | Binary::Ne), left, right) => {
                let width = small::<u16>(size(program, program.exprs.ty(*left))?, "fields")?;
                let a = self.expr(scope, *left)?;
                let b = self.expr(scope, *right)?;
                if (*op == Binary::Eq) == when {
                    // Jumps if all parts are equal.
                    let past = self.label();
                    for part in 1..width {
                        self.emit(Op::JumpNe {
                            a: a + part,
                            b: b + part,
                            to: past.0,
                        });
                    }
                    if width > 0 {
                        self.emit(Op::JumpEq { a, b, to: to.0 });
                    } else {
                        self.jump(to);
                    }
                    self.bind(past);
                } else {
                    for part in 0..width {
                        self.emit(Op::JumpNe {
                            a: a + part,
                            b: b + part,
                            to: to.0,
                        });
                    }
                }
            }
            Expr::Binary(op @ (Binary::Lt | Binary::Le), left, right) => {
                let a = self.expr(scope, *left)?;
                let b = self.expr(scope, *right)?;
                let to = to.0;
                self.emit(match (op, when) {
                    (Binary::Lt, true) => Op::JumpLt { a, b, to },
                    (Binary::Lt, false) => Op::JumpLe { a: b, b: a, to },
                    (_, true) => Op::JumpLe { a, b, to },
                    (_, false) => Op::JumpLt { a: b, b: a, to },
                });
            }
            _ => {
                let a = self.expr(scope, id)?;
                self.emit(if when {
                    Op::JumpIf { a, to: to.0 }
                } else {
                    Op::JumpIfNot { a, to: to.0 }
                });
            }
        }
        self.next_temporary = saved;
        Ok(())
    }
}
