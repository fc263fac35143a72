//! The ranges of all variables at one place of the program, and which of them differ by a constant.

use model::{
    Binary, Expr, ExprId, ExprPool, Place, Process, Projection, Root, Stmt, Type, Unary, Value,
    ValueSet, Variable,
};

use super::interval::{Interval, of_type};
use super::offsets::{Offset, Offsets};

/// How large an expression is that is still looked at.
const MAX_SIZE: u32 = 2_000;

/// Which variables have ranges, and those of their types.
pub(super) struct Slots {
    /// The places of the globals, then those of the process.
    places: Vec<Option<usize>>,
    globals: usize,
    bounds: Vec<Interval>,
    /// The widths of those that are one number.
    widths: Vec<Option<u8>>,
}

impl Slots {
    pub(super) fn new(process: &Process, globals: &[Variable]) -> Slots {
        let mut slots = Slots {
            places: Vec::new(),
            globals: globals.len(),
            bounds: Vec::new(),
            widths: Vec::new(),
        };
        for variable in globals.iter().chain(&process.locals) {
            let bounds = match &variable.ty {
                Type::Array(item, _) => of_type(item),
                ty => of_type(ty),
            };
            slots.places.push(bounds.map(|bounds| {
                slots.bounds.push(bounds);
                slots.widths.push(width(&variable.ty));
                slots.bounds.len() - 1
            }));
        }
        slots
    }

    pub(super) fn len(&self) -> usize {
        self.bounds.len()
    }

    pub(super) fn bounds(&self, slot: usize) -> Interval {
        self.bounds[slot]
    }

    /// The only number of a range, for a variable that is one number.
    fn known(&self, slot: usize, range: Interval) -> Option<Offset> {
        Some(Offset::known(range.only()?, self.widths[slot]?))
    }

    /// The places of the globals.
    pub(super) fn globals(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.places[..self.globals].iter().copied()
    }

    /// The place of a variable, and whether it is all of it.
    fn of(&self, place: &Place) -> Option<(usize, bool)> {
        let at = match place.root {
            Root::Global(global) => global.index(),
            Root::Own(own) => self.globals + own as usize,
            _ => return None,
        };
        let slot = self.places.get(at).copied().flatten()?;
        match place.path.as_slice() {
            [] => Some((slot, true)),
            [Projection::Index(_)] => Some((slot, false)),
            _ => None,
        }
    }
}

fn width(ty: &Type) -> Option<u8> {
    match ty {
        Type::Int { bits, .. } => Some(*bits),
        _ => None,
    }
}

/// Ranges, and which variables differ by a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    ranges: Vec<Interval>,
    offsets: Offsets,
}

/// Evaluates expressions in a state.
pub(super) struct Eval<'a> {
    state: &'a State,
    slots: &'a Slots,
    exprs: &'a ExprPool,
}

impl State {
    /// All variables at the zeros of their types.
    pub(super) fn zero(slots: &Slots) -> State {
        State {
            ranges: vec![Interval::one(0); slots.len()],
            offsets: Offsets::zero(&slots.widths),
        }
    }

    pub(super) fn set(&mut self, slot: usize, range: Interval, slots: &Slots) {
        self.ranges[slot] = range;
        self.offsets.set(slot, slots.known(slot, range));
    }

    pub(super) fn eval<'a>(&'a self, slots: &'a Slots, exprs: &'a ExprPool) -> Eval<'a> {
        Eval {
            state: self,
            slots,
            exprs,
        }
    }

    pub(super) fn is_within(&self, other: &State) -> bool {
        let mut pairs = self.ranges.iter().zip(&other.ranges);
        pairs.all(|(a, b)| a.is_within(*b)) && self.offsets.is_within(&other.offsets)
    }

    pub(super) fn join(&self, other: &State) -> State {
        let pairs = self.ranges.iter().zip(&other.ranges);
        State {
            ranges: pairs.map(|(a, b)| a.join(*b)).collect(),
            offsets: self.offsets.join(&other.offsets),
        }
    }

    /// Ranges that have grown go on to the next of the thresholds.
    pub(super) fn widened(&self, old: &State, thresholds: &[i128], slots: &Slots) -> State {
        let mut all = Vec::with_capacity(self.ranges.len());
        for (slot, (new, old)) in self.ranges.iter().zip(&old.ranges).enumerate() {
            let bounds = slots.bounds(slot);
            let mut range = *new;
            if new.hi > old.hi {
                let next = thresholds.partition_point(|&number| number < new.hi);
                let next = thresholds.get(next).copied().unwrap_or(bounds.hi);
                range.hi = next.min(bounds.hi);
            }
            if new.lo < old.lo {
                let next = thresholds.partition_point(|&number| number <= new.lo);
                let next = next.checked_sub(1).map(|at| thresholds[at]);
                range.lo = next.unwrap_or(bounds.lo).max(bounds.lo);
            }
            all.push(range);
        }
        State {
            ranges: all,
            offsets: self.offsets.clone(),
        }
    }

    pub(super) fn is_true(&self, cond: ExprId, slots: &Slots, exprs: &ExprPool) -> bool {
        self.eval(slots, exprs).expr(cond).only() == Some(1)
            || self.refined(cond, false, slots, exprs).is_none()
    }

    fn assign(&mut self, place: &Place, range: Interval, offset: Option<Offset>, slots: &Slots) {
        if let Some((slot, whole)) = slots.of(place) {
            let range = range.reduced(slots.bounds(slot));
            self.ranges[slot] = match whole {
                true => range,
                false => self.ranges[slot].join(range),
            };
            let known = slots.known(slot, range).filter(|_| whole);
            self.offsets.set(slot, known.or(offset));
        }
    }

    /// After statements; none if no run comes so far.
    pub(super) fn run(&self, body: &[Stmt], slots: &Slots, exprs: &ExprPool) -> Option<State> {
        let mut state = self.clone();
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let range = match exprs.get(*value) {
                        Expr::Tuple(items) => {
                            let eval = state.eval(slots, exprs);
                            let ranges = items.iter().map(|&item| eval.expr(item));
                            ranges.reduce(Interval::join)
                        }
                        _ if matches!(exprs.ty(*value), Type::Array(..)) => None,
                        _ => Some(state.eval(slots, exprs).expr(*value)),
                    };
                    match (range, slots.of(place)) {
                        (Some(range), _) => {
                            let offset = state.eval(slots, exprs).offset(*value);
                            state.assign(place, range, offset, slots);
                        }
                        (None, Some((slot, _))) => state.set(slot, slots.bounds(slot), slots),
                        (None, None) => {}
                    }
                }
                Stmt::Choose(choice) => {
                    let range = state.eval(slots, exprs).set(&choice.set);
                    state.assign(&choice.place, range, None, slots);
                }
                Stmt::If(cond, then, otherwise) => {
                    let yes = state.refined(*cond, true, slots, exprs);
                    let no = state.refined(*cond, false, slots, exprs);
                    let yes = yes.and_then(|yes| yes.run(then, slots, exprs));
                    let no = no.and_then(|no| no.run(otherwise, slots, exprs));
                    state = match (yes, no) {
                        (Some(a), Some(b)) => a.join(&b),
                        (a, b) => a.or(b)?,
                    };
                }
                Stmt::Assume(cond) => state = state.refined(*cond, true, slots, exprs)?,
                _ => {}
            }
        }
        Some(state)
    }

    /// Where a condition has a value; none if it cannot have it.
    pub(super) fn refined(
        &self,
        cond: ExprId,
        truth: bool,
        slots: &Slots,
        exprs: &ExprPool,
    ) -> Option<State> {
        let range = self.eval(slots, exprs).expr(cond);
        if let Some(value) = range.only() {
            return (value == i128::from(truth)).then(|| self.clone());
        }
        if exprs.written_out(cond) > MAX_SIZE {
            return Some(self.clone());
        }
        match *exprs.get(cond) {
            Expr::Unary(Unary::Not, inner) => self.refined(inner, !truth, slots, exprs),
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) => {
                let both = (op == Binary::And) == truth;
                let first = self.refined(a, truth, slots, exprs);
                if both {
                    return first?.refined(b, truth, slots, exprs);
                }
                match (first, self.refined(b, truth, slots, exprs)) {
                    (Some(a), Some(b)) => Some(a.join(&b)),
                    (a, b) => a.or(b),
                }
            }
            Expr::Binary(op, a, b) => self.compared(op, a, b, truth, slots, exprs),
            _ => {
                let mut state = self.clone();
                let wanted = Interval::one(i128::from(truth));
                state.restrict(cond, wanted, slots, exprs).then_some(state)
            }
        }
    }

    fn compared(
        &self,
        op: Binary,
        a: ExprId,
        b: ExprId,
        truth: bool,
        slots: &Slots,
        exprs: &ExprPool,
    ) -> Option<State> {
        let eval = self.eval(slots, exprs);
        let (x, y) = (eval.expr(a), eval.expr(b));
        let equal = matches!((op, truth), (Binary::Eq, true) | (Binary::Ne, false));
        let mut state = self.clone();
        let (for_a, for_b) = match (op, truth) {
            _ if equal => (y, x),
            (Binary::Eq | Binary::Ne, _) => (without(x, y)?, without(y, x)?),
            (Binary::Lt, true) => (up_to(y.hi - 1), from(x.lo + 1)),
            (Binary::Lt, false) => (from(y.lo), up_to(x.hi)),
            (Binary::Le, true) => (up_to(y.hi), from(x.lo)),
            (Binary::Le, false) => (from(y.lo + 1), up_to(x.hi - 1)),
            _ => return Some(state),
        };
        let possible =
            state.restrict(a, for_a, slots, exprs) && state.restrict(b, for_b, slots, exprs);
        possible.then_some(state)
    }

    /// Narrows what an expression reads to where its value is in a range; false if it is nowhere.
    fn restrict(&mut self, expr: ExprId, to: Interval, slots: &Slots, exprs: &ExprPool) -> bool {
        let range = self.eval(slots, exprs).expr(expr);
        let Some(met) = range.meet(to) else {
            return false;
        };
        match exprs.get(expr) {
            Expr::Load(place) => {
                if let Some((slot, true)) = slots.of(place) {
                    self.ranges[slot] = met;
                }
                true
            }
            Expr::Convert(inner) => {
                let inside = self.eval(slots, exprs).expr(*inner);
                let bounds = of_type(exprs.ty(expr));
                let same = *exprs.ty(expr) != Type::Bool
                    && bounds.is_some_and(|bounds| inside.is_within(bounds));
                match same {
                    true => self.restrict(*inner, met, slots, exprs),
                    false => true,
                }
            }
            // A number of which another is taken without leaving the type.
            Expr::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let eval = self.eval(slots, exprs);
                let (x, y) = (eval.expr(*a), eval.expr(*b));
                let exact = x.operated(*op, y);
                let within = of_type(exprs.ty(expr))
                    .zip(exact)
                    .is_some_and(|(bounds, exact)| exact.is_within(bounds));
                match y.only() {
                    Some(by) if within => {
                        let back = if *op == Binary::Add { -by } else { by };
                        let wanted = Interval {
                            lo: met.lo.saturating_add(back),
                            hi: met.hi.saturating_add(back),
                        };
                        self.restrict(*a, wanted, slots, exprs)
                    }
                    _ => true,
                }
            }
            _ => true,
        }
    }
}

fn up_to(hi: i128) -> Interval {
    Interval { lo: i128::MIN, hi }
}

fn from(lo: i128) -> Interval {
    Interval { lo, hi: i128::MAX }
}

/// A range without the only number of another, if that is at one of its ends.
fn without(range: Interval, other: Interval) -> Option<Interval> {
    let Some(number) = other.only() else {
        return Some(range);
    };
    let (mut lo, mut hi) = (range.lo, range.hi);
    if lo == number {
        lo += 1;
    }
    if hi == number {
        hi -= 1;
    }
    (lo <= hi).then_some(Interval { lo, hi })
}

impl Eval<'_> {
    /// The values of a set.
    pub(super) fn set(&self, set: &ValueSet) -> Interval {
        const ALL: Interval = Interval {
            lo: i128::MIN,
            hi: i128::MAX,
        };
        match set {
            ValueSet::One(value) => self.expr(*value),
            ValueSet::Between(first, last) => Interval {
                lo: self.expr(*first).lo,
                hi: self.expr(*last).hi,
            },
            ValueSet::Union(sets) => {
                let ranges = sets.iter().map(|set| self.set(set));
                ranges.reduce(Interval::join).unwrap_or(ALL)
            }
            ValueSet::Ite(_, yes, no) => self.set(yes).join(self.set(no)),
            ValueSet::All(ty) => of_type(ty).unwrap_or(ALL),
        }
    }

    /// The expression whose value this has, without conversions that do not change it.
    fn kept(&self, mut id: ExprId) -> ExprId {
        while let Expr::Convert(inner) = *self.exprs.get(id) {
            let bounds = of_type(self.exprs.ty(id));
            let fits = bounds.is_some_and(|bounds| self.expr(inner).is_within(bounds));
            if *self.exprs.ty(id) == Type::Bool || !fits {
                break;
            }
            id = inner;
        }
        id
    }

    /// Whether two numbers of one type are equal, by what they are made of.
    fn equal(&self, a: ExprId, b: ExprId) -> Option<bool> {
        if self.kept(a) == self.kept(b) {
            return Some(true);
        }
        self.offset(a)?.equals(self.offset(b)?)
    }

    /// A number as a variable's and a constant.
    fn offset(&self, id: ExprId) -> Option<Offset> {
        let bits = width(self.exprs.ty(id))?;
        match self.exprs.get(id) {
            Expr::Const(Value::Int(number)) => Some(Offset::known(*number, bits)),
            Expr::Load(place) => match self.slots.of(place)? {
                (slot, true) => self.state.offsets.get(slot),
                _ => None,
            },
            Expr::Convert(inner) => self.offset(*inner).filter(|inner| inner.bits() == bits),
            Expr::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let number = |id: ExprId| match self.exprs.constant(id) {
                    Some(Value::Int(number)) => Some(*number),
                    _ => None,
                };
                match (op, number(*a), number(*b)) {
                    (Binary::Add, Some(number), None) => Some(self.offset(*b)?.plus(number)),
                    (Binary::Add, _, Some(number)) => Some(self.offset(*a)?.plus(number)),
                    (Binary::Sub, _, Some(number)) => Some(self.offset(*a)?.plus(-number)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The values of an expression.
    pub(super) fn expr(&self, id: ExprId) -> Interval {
        const ALL: Interval = Interval {
            lo: i128::MIN,
            hi: i128::MAX,
        };
        let bounds = of_type(self.exprs.ty(id)).unwrap_or(ALL);
        if self.exprs.written_out(id) > MAX_SIZE {
            return bounds;
        }
        match self.exprs.get(id) {
            Expr::Const(Value::Int(number)) => Interval::one(*number),
            Expr::Const(Value::Bool(truth)) => Interval::one(i128::from(*truth)),
            Expr::Load(place) => match self.slots.of(place) {
                Some((slot, _)) => self.state.ranges[slot],
                None => bounds,
            },
            Expr::Unary(op, inner) => {
                let inner = self.expr(*inner);
                match op {
                    Unary::Not => Interval {
                        lo: 1 - inner.hi,
                        hi: 1 - inner.lo,
                    },
                    Unary::Neg if inner.lo > i128::MIN => Interval {
                        lo: -inner.hi,
                        hi: -inner.lo,
                    }
                    .reduced(bounds),
                    Unary::BitNot => Interval {
                        lo: !inner.hi,
                        hi: !inner.lo,
                    }
                    .reduced(bounds),
                    Unary::Neg => bounds,
                }
            }
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.expr(*a), self.expr(*b));
                match op {
                    Binary::And => Interval {
                        lo: x.lo.min(y.lo),
                        hi: x.hi.min(y.hi),
                    },
                    Binary::Or => Interval {
                        lo: x.lo.max(y.lo),
                        hi: x.hi.max(y.hi),
                    },
                    Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => {
                        match (op, self.equal(*a, *b)) {
                            (Binary::Eq | Binary::Le, Some(true)) => Interval::one(1),
                            (_, Some(true)) | (Binary::Eq, Some(false)) => Interval::one(0),
                            (Binary::Ne, Some(false)) => Interval::one(1),
                            _ => Interval::truth(x.compared(*op, y)),
                        }
                    }
                    _ => x
                        .operated(*op, y)
                        .map_or(bounds, |range| range.reduced(bounds)),
                }
            }
            Expr::Ite(cond, yes, no) => match self.expr(*cond).only() {
                Some(0) => self.expr(*no),
                Some(_) => self.expr(*yes),
                None => self.expr(*yes).join(self.expr(*no)),
            },
            Expr::Convert(inner) => {
                let range = self.expr(*inner);
                match self.exprs.ty(id) {
                    Type::Bool if range.only() == Some(0) => Interval::one(0),
                    Type::Bool if range.lo > 0 || range.hi < 0 => Interval::one(1),
                    Type::Bool => Interval::BOTH,
                    _ => range.reduced(bounds),
                }
            }
            _ => bounds,
        }
    }
}
