//! Operators on numbers and pointers.

use lang_c::ast::BinaryOperator;
use model::{Binary, ExprId, Type};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::pointer::{self, FUNCTION, NULL, NUMBER, OFFSET_BITS, OUTSIDE, POINTER, UNSET};
use super::value::Rvalue;

/// How far a pointer may be moved at once.
const FAR: i128 = 1 << 20;

impl Lowering<'_> {
    /// A binary operator that evaluates both sides, on values.
    pub(super) fn operate(
        &mut self,
        op: &BinaryOperator,
        left: Rvalue,
        right: Rvalue,
        span: Span,
    ) -> Rvalue {
        let pointers = (
            matches!(left.ty, CType::Pointer(_)),
            matches!(right.ty, CType::Pointer(_)),
        );
        match (op, pointers) {
            (BinaryOperator::Plus, (true, false)) => self.moved(&left, right, false, span),
            (BinaryOperator::Plus, (false, true)) => self.moved(&right, left, false, span),
            (BinaryOperator::Minus, (true, false)) => self.moved(&left, right, true, span),
            (BinaryOperator::Minus, (true, true)) => self.distance(&left, &right, span),
            (_, (true, _) | (_, true)) if is_comparison(op) => {
                let ty = match pointers.0 {
                    true => left.ty.clone(),
                    false => right.ty.clone(),
                };
                let left = self.convert(left, &ty, span);
                let right = self.convert(right, &ty, span);
                self.compare_pointers(op, &left, &right, span)
            }
            _ => self.arithmetic(op, left, right, span),
        }
    }

    fn arithmetic(
        &mut self,
        op: &BinaryOperator,
        left: Rvalue,
        right: Rvalue,
        span: Span,
    ) -> Rvalue {
        let ty = left.ty.common(&right.ty);
        if matches!(ty, CType::Float(_)) {
            return match is_comparison(op) {
                true => {
                    let truth = self.any_truth("a floating-point number", span, false);
                    self.truth_as(truth, &CType::INT)
                }
                false => Rvalue::unknown(ty),
            };
        }
        if !left.ty.is_integer() || !right.ty.is_integer() {
            self.sink("an operation that is not followed", span);
            return self.zero(&CType::INT);
        }
        if matches!(op, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight) {
            return self.shift(op, left, right, span);
        }
        let left = self.convert(left, &ty, span);
        let right = self.convert(right, &ty, span);
        let (Some(a), Some(b)) = (left.expr, right.expr) else {
            return self.zero(&ty);
        };
        if is_comparison(op) {
            let equality = matches!(op, BinaryOperator::Equals | BinaryOperator::NotEquals);
            let (a, b) = match ty.is_disguised() && !equality {
                true => (self.ordered(a), self.ordered(b)),
                false => (a, b),
            };
            let truth = self.compare(op, a, b);
            return self.truth_as(truth, &CType::INT);
        }
        let binary = match op {
            BinaryOperator::Plus => Binary::Add,
            BinaryOperator::Minus => Binary::Sub,
            BinaryOperator::Multiply => Binary::Mul,
            BinaryOperator::Divide => Binary::Div,
            BinaryOperator::Modulo => Binary::Rem,
            BinaryOperator::BitwiseAnd => Binary::BitAnd,
            BinaryOperator::BitwiseOr => Binary::BitOr,
            BinaryOperator::BitwiseXor => Binary::BitXor,
            _ => {
                self.sink("an operation that is not followed", span);
                return self.zero(&ty);
            }
        };
        if matches!(binary, Binary::Div | Binary::Rem) {
            let zero = self.zero_of(b);
            let is_zero = self.pool().two(Binary::Eq, b, zero);
            self.fail_if(is_zero, Kind::Division, span);
        }
        if ty.is_disguised() && matches!(binary, Binary::Div | Binary::Rem) {
            let expr = self.divided(binary == Binary::Rem, a, b);
            return Rvalue::number(ty, expr);
        }
        self.overflow_checked(binary, a, b, &ty, span);
        let expr = self.pool().two(binary, a, b);
        Rvalue::number(ty, expr)
    }

    fn zero_of(&mut self, value: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(value).clone();
        self.pool().int(0, ty)
    }

    /// Signed arithmetic that leaves its type is reported, and wraps around. The least number
    /// divided by -1 stops the program on many machines.
    fn overflow_checked(&mut self, op: Binary, a: ExprId, b: ExprId, ty: &CType, span: Span) {
        let CType::Int { bits, signed: true } = *ty else {
            return;
        };
        let narrow = Type::Int { bits, signed: true };
        match op {
            Binary::Add | Binary::Sub | Binary::Mul if bits < 64 => {
                let wide = Type::Int {
                    bits: if op == Binary::Mul { 64 } else { bits + 1 },
                    signed: true,
                };
                let (x, y) = (
                    self.pool().converted(a, &wide),
                    self.pool().converted(b, &wide),
                );
                let exact = self.pool().two(op, x, y);
                let wrapped = self.pool().converted(exact, &narrow);
                let back = self.pool().converted(wrapped, &wide);
                let bad = self.pool().two(Binary::Ne, exact, back);
                self.report_if(bad, Kind::Overflow, span);
            }
            Binary::Add | Binary::Sub => {
                // Both operands have a sign that the result has not.
                let result = self.pool().two(op, a, b);
                let left = self.pool().two(Binary::BitXor, a, result);
                let other = if op == Binary::Add { result } else { a };
                let right = self.pool().two(Binary::BitXor, b, other);
                let both = self.pool().two(Binary::BitAnd, left, right);
                let zero = self.zero_of(a);
                let bad = self.pool().two(Binary::Lt, both, zero);
                self.report_if(bad, Kind::Overflow, span);
            }
            Binary::Mul => {
                let zero = self.zero_of(a);
                let one = self.pool().int(1, narrow);
                let is_zero = self.pool().two(Binary::Eq, b, zero);
                let divisor = self.pool().either(is_zero, one, b);
                let product = self.pool().two(Binary::Mul, a, b);
                let back = self.pool().two(Binary::Div, product, divisor);
                let differs = self.pool().two(Binary::Ne, back, a);
                let special = self.least_by_minus_one(a, b, ty);
                let bad = self.pool().two(Binary::Or, differs, special);
                let not_zero = self.pool().not(is_zero);
                let bad = self.pool().two(Binary::And, not_zero, bad);
                self.report_if(bad, Kind::Overflow, span);
            }
            Binary::Div | Binary::Rem => {
                let bad = self.least_by_minus_one(a, b, ty);
                self.fail_if(bad, Kind::Overflow, span);
            }
            _ => {}
        }
    }

    fn least_by_minus_one(&mut self, a: ExprId, b: ExprId, ty: &CType) -> ExprId {
        let model = ty.model().expect("integers are followed");
        let (least, _) = model.bounds().expect("integers are bounded");
        let least = self.pool().int(least, model.clone());
        let minus_one = self.pool().int(-1, model);
        let a = self.pool().two(Binary::Eq, a, least);
        let b = self.pool().two(Binary::Eq, b, minus_one);
        self.pool().two(Binary::And, a, b)
    }

    /// Shifts happen in the promoted type of the left side.
    fn shift(&mut self, op: &BinaryOperator, left: Rvalue, right: Rvalue, span: Span) -> Rvalue {
        let ty = left.ty.promoted();
        let left = self.convert(left, &ty, span);
        let promoted = right.ty.promoted();
        let right = self.convert(right, &promoted, span);
        let (Some(a), Some(b)) = (left.expr, right.expr) else {
            return self.zero(&ty);
        };
        let CType::Int { bits, .. } = ty else {
            return self.zero(&ty);
        };
        let by_type = self.program.exprs.ty(b).clone();
        let width = self.pool().int(i128::from(bits), by_type.clone());
        let zero = self.pool().int(0, by_type);
        let negative = self.pool().two(Binary::Lt, b, zero);
        let wide = self.pool().two(Binary::Le, width, b);
        let bad = self.pool().two(Binary::Or, negative, wide);
        self.fail_if(bad, Kind::Shift, span);
        let model = ty.model().expect("integers are followed");
        let by = self.pool().converted(b, &model);
        let op = match op {
            BinaryOperator::ShiftLeft => Binary::Shl,
            _ => Binary::Shr,
        };
        let expr = match op {
            Binary::Shr if ty.is_disguised() => self.shifted_right(a, by),
            _ => self.pool().two(op, a, by),
        };
        Rvalue::number(ty, expr)
    }

    pub(super) fn compare(&mut self, op: &BinaryOperator, a: ExprId, b: ExprId) -> ExprId {
        match op {
            BinaryOperator::Equals => self.pool().two(Binary::Eq, a, b),
            BinaryOperator::NotEquals => self.pool().two(Binary::Ne, a, b),
            BinaryOperator::Less => self.pool().two(Binary::Lt, a, b),
            BinaryOperator::LessOrEqual => self.pool().two(Binary::Le, a, b),
            BinaryOperator::Greater => self.pool().two(Binary::Lt, b, a),
            _ => self.pool().two(Binary::Le, b, a),
        }
    }

    /// Pointers are equal if they are the same; an order have only those into one object.
    fn compare_pointers(
        &mut self,
        op: &BinaryOperator,
        left: &Rvalue,
        right: &Rvalue,
        span: Span,
    ) -> Rvalue {
        let (Some(a), Some(b)) = (left.expr, right.expr) else {
            return self.zero(&CType::INT);
        };
        self.set_checked(a, &left.pts, span);
        self.set_checked(b, &right.pts, span);
        self.vague_checked(a, left, right, span);
        self.vague_checked(b, right, left, span);
        self.shared_checked(left, right, span);
        let equality = matches!(op, BinaryOperator::Equals | BinaryOperator::NotEquals);
        if !equality {
            let other = self.other_objects(a, b);
            self.sink_if(other, "the order of pointers to different objects", span);
        } else {
            self.end_checked(a, left, b, right, span);
        }
        let truth = self.compare(op, a, b);
        self.truth_as(truth, &CType::INT)
    }

    /// Two pointers from outside may be the same or not, whatever they point to; so may be one
    /// from outside and a number or a literal of the same contents.
    fn vague_checked(&mut self, pointer: ExprId, value: &Rvalue, other: &Rvalue, span: Span) {
        if !value.pts.contains(&OUTSIDE) {
            return;
        }
        let is_null = other
            .expr
            .is_some_and(|e| self.program.exprs.number(e) == Some(0));
        if is_null {
            return;
        }
        let Some(with) = other.expr else { return };
        let into = self.is_into(pointer, OUTSIDE);
        let null = self.is_null(with);
        let not_null = self.pool().not(null);
        let both = self.pool().two(Binary::And, into, not_null);
        self.sink_if(both, "the comparison of a pointer from outside", span);
    }

    /// A pointer behind the end of an object may be equal to one to the next. Two literals may share
    /// their memory, too; and a number that was cast may be an address.
    fn end_checked(&mut self, a: ExprId, left: &Rvalue, b: ExprId, right: &Rvalue, span: Span) {
        let differ = self.other_objects(a, b);
        let mut vague = self.pool().bool(false);
        for (pointer, value, with) in [(a, left, b), (b, right, a)] {
            for &object in value.pts.iter() {
                let cond = match object {
                    NULL | OUTSIDE | FUNCTION | UNSET => continue,
                    NUMBER => self.is_into(pointer, NUMBER),
                    _ if self.known(object).literal.is_some() => self.is_into(pointer, object),
                    _ => self.is_behind_or_gone(pointer, object),
                };
                let null = self.is_null(with);
                let not_null = self.pool().not(null);
                let cond = self.pool().two(Binary::And, cond, not_null);
                vague = self.pool().two(Binary::Or, vague, cond);
            }
        }
        let vague = self.pool().two(Binary::And, vague, differ);
        self.sink_if(
            vague,
            "the comparison of pointers to different objects",
            span,
        );
    }

    /// Whether a pointer is behind the end of an object, or to memory that was freed, where the next
    /// object may be.
    fn is_behind_or_gone(&mut self, pointer: ExprId, object: usize) -> ExprId {
        let end = self.count(object);
        let end = self.pointer(object, end);
        let mut vague = self.pool().two(Binary::Eq, pointer, end);
        if self.known(object).site.is_some() {
            let into = self.is_into(pointer, object);
            let alive = self.alive(object);
            let alive = self.pool().load(alive, Type::Bool);
            let inside = self.is_before_end(pointer, object, 0);
            let there = self.pool().two(Binary::And, alive, inside);
            let not = self.pool().not(there);
            let gone = self.pool().two(Binary::And, into, not);
            vague = self.pool().two(Binary::Or, vague, gone);
        }
        vague
    }

    /// Whether two pointers are to different objects.
    fn other_objects(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let bits = self.pool().int(i128::from(OFFSET_BITS), POINTER);
        let number = |this: &mut Self, pointer: ExprId| match this.program.exprs.number(pointer) {
            Some(value) => this.pool().int(value >> OFFSET_BITS, POINTER),
            None => this.pool().two(Binary::Shr, pointer, bits),
        };
        let (a, b) = (number(self, a), number(self, b));
        self.pool().two(Binary::Ne, a, b)
    }

    /// A pointer moved by a number of elements, wherever that leads. Memory from outside is not told
    /// apart inside.
    pub(super) fn moved_freely(
        &mut self,
        pointer: &Rvalue,
        by: Rvalue,
        back: bool,
        span: Span,
    ) -> Rvalue {
        let CType::Pointer(element) = &pointer.ty else {
            self.sink("an operation that is not followed", span);
            return pointer.clone();
        };
        let Some(cells) = self.cells_of_step(element) else {
            self.sink("a pointer to a type that is not followed", span);
            return pointer.clone();
        };
        let by = self.convert(by, &CType::LONG, span);
        let (Some(from), Some(by)) = (pointer.expr, by.expr) else {
            return pointer.clone();
        };
        let long = CType::LONG.model().expect("integers are followed");
        let (least, most) = (
            self.pool().int(-FAR, long.clone()),
            self.pool().int(FAR, long),
        );
        let below = self.pool().two(Binary::Lt, by, least);
        let above = self.pool().two(Binary::Lt, most, by);
        let far = self.pool().two(Binary::Or, below, above);
        self.fail_if(far, Kind::Index, span);
        let by = self.pool().converted(by, &POINTER);
        let cells = self.pool().int(cells as i128, POINTER);
        let by = self.pool().two(Binary::Mul, by, cells);
        let op = if back { Binary::Sub } else { Binary::Add };
        let mut expr = self.pool().two(op, from, by);
        if pointer.pts.contains(&OUTSIDE) {
            let into = self.is_into(from, OUTSIDE);
            expr = self.pool().either(into, from, expr);
        }
        Rvalue {
            expr: Some(expr),
            ..pointer.clone()
        }
    }

    fn cells_of_step(&self, element: &CType) -> Option<usize> {
        match element {
            CType::Void | CType::Function(_) => None,
            _ => self.records.count(element).filter(|&count| count > 0),
        }
    }

    fn distance(&mut self, left: &Rvalue, right: &Rvalue, span: Span) -> Rvalue {
        let CType::Pointer(element) = &left.ty else {
            return self.zero(&CType::LONG);
        };
        let (Some(a), Some(b), Some(cells)) = (left.expr, right.expr, self.cells_of_step(element))
        else {
            self.sink("an operation that is not followed", span);
            return self.zero(&CType::LONG);
        };
        self.null_checked(a, &left.pts, span);
        self.null_checked(b, &right.pts, span);
        for (pointer, value) in [(a, left), (b, right)] {
            for object in [NUMBER, OUTSIDE, FUNCTION] {
                if value.pts.contains(&object) {
                    let into = self.is_into(pointer, object);
                    self.sink_if(into, "the distance of pointers from outside", span);
                }
            }
        }
        self.shared_checked(left, right, span);
        let other = self.other_objects(a, b);
        self.sink_if(other, "the distance of pointers to different objects", span);
        let long = CType::LONG.model().expect("integers are followed");
        let (a, b) = (
            self.pool().converted(a, &long),
            self.pool().converted(b, &long),
        );
        let difference = self.pool().two(Binary::Sub, a, b);
        let cells = self.pool().int(cells as i128, long);
        let expr = match self.program.exprs.number(cells) {
            Some(1) => difference,
            _ => self.pool().two(Binary::Div, difference, cells),
        };
        Rvalue::number(CType::LONG, expr)
    }

    /// The union of what two pointers may be to.
    pub(super) fn joined(a: &Rvalue, b: &Rvalue) -> pointer::Pts {
        pointer::union(&a.pts, &b.pts)
    }
}

pub(super) fn is_comparison(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::Less
            | BinaryOperator::Greater
            | BinaryOperator::LessOrEqual
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::Equals
            | BinaryOperator::NotEquals
    )
}

/// The operator of an assignment with one: `+` of `+=`.
pub(super) fn of_assignment(op: &BinaryOperator) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOperator::AssignMultiply => BinaryOperator::Multiply,
        BinaryOperator::AssignDivide => BinaryOperator::Divide,
        BinaryOperator::AssignModulo => BinaryOperator::Modulo,
        BinaryOperator::AssignPlus => BinaryOperator::Plus,
        BinaryOperator::AssignMinus => BinaryOperator::Minus,
        BinaryOperator::AssignShiftLeft => BinaryOperator::ShiftLeft,
        BinaryOperator::AssignShiftRight => BinaryOperator::ShiftRight,
        BinaryOperator::AssignBitwiseAnd => BinaryOperator::BitwiseAnd,
        BinaryOperator::AssignBitwiseXor => BinaryOperator::BitwiseXor,
        BinaryOperator::AssignBitwiseOr => BinaryOperator::BitwiseOr,
        _ => return None,
    })
}
