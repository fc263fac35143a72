//! Functions that fill memory with what comes from outside, up to a number of bytes that they are
//! told.
//!
//! What comes is any value, the rest of the memory stays as it is, and what the function returns
//! says how much came.

use std::collections::BTreeSet;
use std::rc::Rc;

use model::{Binary, Choice, ExprId, Stmt, ValueSet};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::documented::{Amount, FILLING};
use super::pointer::{FIRST, FUNCTION, OUTSIDE, Pts};
use super::value::Rvalue;

/// Functions that write one value of the type that an argument points to, or two of them.
const OF_A_TYPE: &[(&str, i128)] = &[
    ("clock_gettime", 1),
    ("fstat", 1),
    ("gettimeofday", 1),
    ("gmtime_r", 1),
    ("localtime_r", 1),
    ("lstat", 1),
    ("pipe", 2),
    ("stat", 1),
    ("time", 1),
    ("wait", 1),
    ("waitpid", 1),
];

impl Lowering<'_> {
    /// The bytes that a function writes behind an argument, if it writes values of its type.
    pub(super) fn written_type(&mut self, name: &str, argument: &Rvalue) -> Option<ExprId> {
        let (_, values) = OF_A_TYPE.iter().find(|(known, _)| *known == name)?;
        let CType::Pointer(to) = &argument.ty else {
            return None;
        };
        let (size, _) = self.records.size(to)?;
        Some(self.long(i128::from(size) * values))
    }

    /// A call of a function that fills memory.
    pub(super) fn filling(
        &mut self,
        name: &str,
        arguments: &[Rvalue],
        result: &CType,
        span: Span,
    ) -> Rvalue {
        let known = FILLING.iter().find(|(known, ..)| *known == name);
        let (_, at, amount) = known.expect("it is one of them");
        let counts = match *amount {
            Amount::Bytes(count) | Amount::Message(count, _) | Amount::Text(count) => vec![count],
            Amount::Items(size, count) => vec![size, count],
        };
        let most = self.bytes(arguments, &counts, span);
        let target = arguments.get(*at);
        let pointer = target.and_then(|target| target.expr);
        let (Some(most), Some(pointer), Some(target)) = (most, pointer, target) else {
            let what = format!("a call of `{name}` that is not as it is declared");
            self.sink(&what, span);
            return self.zero(result);
        };
        let (most, pts) = (self.kept(most), target.pts.clone());
        self.null_or_nothing(name, pointer, &pts, span);
        let (value, came) = match *amount {
            Amount::Bytes(_) => self.bytes_came(name, most, true, result, span),
            Amount::Message(_, flags) => {
                let flags = arguments.get(flags).and_then(|flags| flags.expr);
                let flags = flags.and_then(|flags| self.program_number(flags));
                self.bytes_came(name, most, flags == Some(0), result, span)
            }
            Amount::Items(size, count) => {
                let size = self.bytes(arguments, &[size], span).unwrap_or(most);
                let count = self.bytes(arguments, &[count], span).unwrap_or(most);
                self.items_came(name, (size, count, most), result, span)
            }
            Amount::Text(_) => return self.text_came(name, target, most, result, span),
        };
        let fact = format!("what `{name}` writes");
        self.writable_checked(pointer, &pts, span);
        self.filled(pointer, &pts, came, &fact, span);
        if name == "recvfrom" {
            for at in [4, 5] {
                if let Some(argument) = arguments.get(at) {
                    self.written_with(name, argument, &Pts::default(), span);
                }
            }
        }
        value
    }

    /// A number of 64 bits with a sign.
    pub(super) fn long(&mut self, number: i128) -> ExprId {
        let long = CType::LONG.model().expect("integers are followed");
        self.pool().int(number, long)
    }

    /// Memory of the program's own is allocated by `getcwd(NULL, 0)`; the others need some.
    fn null_or_nothing(&mut self, name: &str, pointer: ExprId, pts: &Pts, span: Span) {
        if name != "getcwd" {
            self.null_checked(pointer, pts, span);
            return;
        }
        self.set_checked(pointer, pts, span);
        let null = self.is_null(pointer);
        self.sink_if(null, "memory that `getcwd` allocates", span);
    }

    /// A number that is not negative, as a bound: a negative count is a very large one.
    fn bound(&mut self, most: ExprId) -> ExprId {
        let (zero, all) = (self.long(0), self.long(i128::from(i64::MAX)));
        let negative = self.pool().two(Binary::Lt, most, zero);
        self.pool().either(negative, all, most)
    }

    /// A number between two bounds that the world decides.
    fn any_between(&mut self, low: ExprId, high: ExprId, fact: &str, span: Span) -> ExprId {
        let long = CType::LONG.model().expect("integers are followed");
        let place = self.temporary(fact, long.clone());
        let outside = self.outside(fact, span, true);
        let set = ValueSet::Between(low, high);
        self.choose(place.clone(), set, None, fact, outside);
        self.pool().load(place, long)
    }

    /// A text comes, or nothing; the memory holds anything if reading failed on the way.
    fn text_came(
        &mut self,
        name: &str,
        target: &Rvalue,
        most: ExprId,
        result: &CType,
        span: Span,
    ) -> Rvalue {
        let value = self.first_or_null(name, target, result, span);
        let (Some(pointer), Some(returned)) = (target.expr, value.expr) else {
            return value;
        };
        let (zero, one) = (self.long(0), self.long(1));
        let nothing = self.pool().two(Binary::Eq, most, zero);
        self.sink_if(nothing, "a text without any room", span);
        let bound = self.bound(most);
        let longest = self.pool().two(Binary::Sub, bound, one);
        // At least one character comes where there is room for it.
        let room = self.pool().two(Binary::Lt, zero, longest);
        let least = self.pool().either(room, one, zero);
        let length = self.any_between(least, longest, &format!("how much `{name}` writes"), span);
        let with_end = self.pool().two(Binary::Add, length, one);
        self.writable_checked(pointer, &target.pts, span);
        self.bytes_checked(pointer, &target.pts, with_end, span);
        let fact = format!("what `{name}` writes");
        self.filled(pointer, &target.pts, length, &fact, span);
        self.terminate((pointer, &target.pts), returned, length);
        value
    }

    /// How many bytes came, as they are returned and as they are.
    fn bytes_came(
        &mut self,
        name: &str,
        most: ExprId,
        bounded: bool,
        result: &CType,
        span: Span,
    ) -> (Rvalue, ExprId) {
        let minus = self.long(-1);
        let high = match bounded {
            true => self.bound(most),
            false => self.long(i128::from(i64::MAX)),
        };
        let returned = self.any_between(minus, high, &format!("what `{name}` returns"), span);
        let value = Rvalue::number(CType::LONG, returned);
        let value = self.convert(value, result, span);
        if bounded {
            return (value, returned);
        }
        let bound = self.bound(most);
        let more = self.pool().two(Binary::Lt, bound, returned);
        (value, self.pool().either(more, bound, returned))
    }

    /// How many items came, and how many bytes: the last one need not be whole.
    fn items_came(
        &mut self,
        name: &str,
        (size, count, most): (ExprId, ExprId, ExprId),
        result: &CType,
        span: Span,
    ) -> (Rvalue, ExprId) {
        let (zero, high) = (self.long(0), self.bound(count));
        let returned = self.any_between(zero, high, &format!("what `{name}` returns"), span);
        let value = Rvalue::number(CType::LONG, returned);
        let value = self.convert(value, result, span);
        if self.program_number(size) == Some(1) {
            return (value, returned);
        }
        let whole = self.pool().two(Binary::Mul, returned, size);
        let whole = self.kept(whole);
        let came = self.any_between(whole, most, &format!("how much `{name}` writes"), span);
        (value, came)
    }

    /// What is written is written into memory of the program that is there.
    pub(super) fn writable_checked(&mut self, pointer: ExprId, pts: &Pts, span: Span) {
        for &object in pts.iter() {
            if object == OUTSIDE || object == FUNCTION {
                let into = self.is_into(pointer, object);
                self.sink_if(into, "a write into memory from outside", span);
            } else if object >= FIRST {
                let count = self.count(object) + 1;
                let into = self.within(pointer, object, count);
                self.alive_checked(object, into, span);
                if self.known(object).literal.is_some() {
                    let into = self.is_into(pointer, object);
                    self.undefined_if(into, "a write into a literal", span);
                }
            }
        }
    }

    /// So many bytes behind a pointer are any values afterwards.
    pub(super) fn filled(
        &mut self,
        pointer: ExprId,
        pts: &Pts,
        bytes: ExprId,
        fact: &str,
        span: Span,
    ) {
        let bytes = self.kept(bytes);
        let none = self.long(0);
        let some = self.pool().two(Binary::Lt, none, bytes);
        let checked = self.pool().either(some, bytes, none);
        self.bytes_checked(pointer, pts, checked, span);
        for &object in pts.iter().filter(|&&object| object >= FIRST) {
            self.fill(object, pointer, bytes, fact, span);
        }
    }

    fn fill(&mut self, object: usize, pointer: ExprId, bytes: ExprId, fact: &str, span: Span) {
        self.wrote(object);
        let Some(extent) = self.extent(object, pointer) else {
            return;
        };
        // Of a member of a union, a part may be written.
        let exact = !self.has_unions(object);
        let outside = self.outside(fact, span, exact);
        let pointers: Pts = Rc::new(BTreeSet::from([OUTSIDE]));
        let end = self.pool().two(Binary::Add, extent.before, bytes);
        let mut body = Vec::new();
        for (at, place, cell) in self.numbered_places(object) {
            let Some((set, sample)) = self.any_in_cell(object, &cell, &pointers) else {
                continue;
            };
            let start = self.long(i128::from(extent.starts[at]));
            let behind = self.pool().two(Binary::Le, extent.before, start);
            let before = self.pool().two(Binary::Lt, start, end);
            let written = self.pool().two(Binary::And, behind, before);
            if self.is_false(written) {
                continue;
            }
            let choice = Stmt::Choose(Choice {
                place,
                set,
                sample,
                what: fact.to_owned(),
                outside: Some(outside),
            });
            body.push(match self.is_true(written) {
                true => choice,
                false => Stmt::If(written, vec![choice], Vec::new()),
            });
        }
        if body.is_empty() || self.is_false(extent.here) {
            return;
        }
        match self.is_true(extent.here) {
            true => body.into_iter().for_each(|stmt| self.emit(stmt)),
            false => self.emit(Stmt::If(extent.here, body, Vec::new())),
        }
    }

    /// A text ends behind so many bytes, unless nothing came.
    fn terminate(&mut self, (pointer, pts): (ExprId, &Pts), returned: ExprId, length: ExprId) {
        let null = self.is_null(returned);
        let came = self.pool().not(null);
        for &object in pts.iter().filter(|&&object| object >= FIRST) {
            let Some(extent) = self.extent(object, pointer) else {
                continue;
            };
            let unions = self.has_unions(object);
            let end = self.pool().two(Binary::Add, extent.before, length);
            let here = self.pool().two(Binary::And, extent.here, came);
            for (at, place, cell) in self.numbered_places(object) {
                let Some(ty) = cell.model().filter(|_| !matches!(cell, CType::Pointer(_))) else {
                    continue;
                };
                if unions && !matches!(cell, CType::Int { bits: 8, .. }) {
                    continue;
                }
                let start = self.long(i128::from(extent.starts[at]));
                let last = self.pool().two(Binary::Eq, start, end);
                let last = self.pool().two(Binary::And, here, last);
                let zero = self.pool().int(0, ty);
                if !self.is_false(last) {
                    let ends = vec![Stmt::Assign(place, zero)];
                    self.emit(Stmt::If(last, ends, Vec::new()));
                }
            }
        }
    }
}
