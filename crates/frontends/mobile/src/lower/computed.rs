//! Functions of the library whose results are computed: lengths of texts, letters and digits, orders
//! of bytes, absolute values, memory that is set.

use model::{Binary, ExprId, Stmt, ValueSet};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::memory::Storage;
use super::pointer::{FIRST, NULL, Pts, base};
use super::value::Rvalue;

/// The texts of longer arrays are not looked at byte by byte.
const LONGEST_TEXT: usize = 64;

/// The ASCII characters of which a function says yes.
fn class(name: &str) -> Option<fn(u8) -> bool> {
    Some(match name {
        "isalnum" => |c| c.is_ascii_alphanumeric(),
        "isalpha" => |c| c.is_ascii_alphabetic(),
        "isblank" => |c| c == b' ' || c == b'\t',
        "iscntrl" => |c| c.is_ascii_control(),
        "isdigit" => |c| c.is_ascii_digit(),
        "isgraph" => |c| c.is_ascii_graphic(),
        "islower" => |c| c.is_ascii_lowercase(),
        "isprint" => |c| c.is_ascii_graphic() || c == b' ',
        "ispunct" => |c| c.is_ascii_punctuation(),
        "isspace" => |c| c.is_ascii_whitespace() || c == 0x0b,
        "isupper" => |c| c.is_ascii_uppercase(),
        "isxdigit" => |c| c.is_ascii_hexdigit(),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// The result of a function that is computed; none if it is not.
    pub(super) fn computed(
        &mut self,
        name: &str,
        arguments: &[Rvalue],
        result: &CType,
        span: Span,
    ) -> Option<Rvalue> {
        let number = |at: usize| arguments.get(at).and_then(|value| value.expr);
        let expr = match (name, arguments) {
            ("strlen", [text]) => {
                let length = self.text_length(text, span)?;
                let value = Rvalue::number(CType::LONG, length);
                return Some(self.convert(value, result, span));
            }
            ("memset", [to, _, _]) => {
                let bytes = self.bytes(arguments, &[2], span)?;
                self.set_bytes(to, number(1)?, bytes, span)?;
                return Some(Rvalue {
                    ty: result.clone(),
                    ..to.clone()
                });
            }
            ("bzero", [to, _]) => {
                let bytes = self.bytes(arguments, &[1], span)?;
                let zero = self.pool().int(0, CType::INT.model()?);
                self.set_bytes(to, zero, bytes, span)?;
                return Some(Rvalue::unknown(CType::Void));
            }
            ("htons" | "ntohs", [_]) => self.swapped(number(0)?, 2),
            ("htonl" | "ntohl", [_]) => self.swapped(number(0)?, 4),
            ("abs" | "labs", [value]) => {
                let value = value.clone();
                self.magnitude(&value, span)?
            }
            ("tolower", [_]) => self.in_case(number(0)?, b'A'..=b'Z', 32, span),
            ("toupper", [_]) => self.in_case(number(0)?, b'a'..=b'z', -32, span),
            (_, [_]) => {
                let class = class(name)?;
                self.is_of_class(name, number(0)?, class, span)
            }
            _ => return None,
        };
        let ty = match (name, arguments) {
            ("abs" | "labs", [value]) => value.ty.clone(),
            _ => result.clone(),
        };
        let value = Rvalue::number(ty, expr);
        Some(self.convert(value, result, span))
    }

    fn same_type(&mut self, value: i128, like: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(like).clone();
        self.pool().int(ty.wrap(value), ty)
    }

    /// The lowest bytes of a number in the other order.
    fn swapped(&mut self, value: ExprId, bytes: u32) -> ExprId {
        let value = self.kept(value);
        let mask = self.same_type(255, value);
        let mut all = self.same_type(0, value);
        for byte in 0..bytes {
            let down = self.same_type(i128::from(8 * byte), value);
            let up = self.same_type(i128::from(8 * (bytes - 1 - byte)), value);
            let one = self.pool().two(Binary::Shr, value, down);
            let one = self.pool().two(Binary::BitAnd, one, mask);
            let one = self.pool().two(Binary::Shl, one, up);
            all = self.pool().two(Binary::BitOr, all, one);
        }
        all
    }

    fn magnitude(&mut self, value: &Rvalue, span: Span) -> Option<ExprId> {
        let number = self.kept(value.expr?);
        let CType::Int { bits, signed: true } = value.ty else {
            return None;
        };
        let least = self.same_type(-(1 << (bits - 1)), number);
        let overflows = self.pool().two(Binary::Eq, number, least);
        self.report_if(overflows, Kind::Overflow, span);
        let zero = self.same_type(0, number);
        let negative = self.pool().two(Binary::Lt, number, zero);
        let negated = self.pool().two(Binary::Sub, zero, number);
        Some(self.pool().either(negative, negated, number))
    }

    fn is_between(&mut self, value: ExprId, first: i128, last: i128) -> ExprId {
        let (first, last) = (self.same_type(first, value), self.same_type(last, value));
        let from = self.pool().two(Binary::Le, first, value);
        let to = self.pool().two(Binary::Le, value, last);
        self.pool().two(Binary::And, from, to)
    }

    /// A letter in the other case; what is not ASCII depends on the locale.
    fn in_case(
        &mut self,
        value: ExprId,
        letters: std::ops::RangeInclusive<u8>,
        by: i128,
        span: Span,
    ) -> ExprId {
        let value = self.kept(value);
        let by = self.same_type(by, value);
        let other = self.pool().two(Binary::Add, value, by);
        let is_letter = self.is_between(
            value,
            i128::from(*letters.start()),
            i128::from(*letters.end()),
        );
        let mapped = self.pool().either(is_letter, other, value);
        let foreign = self.is_between(value, 128, 255);
        if self.is_false(foreign) {
            return mapped;
        }
        let ty = self.program.exprs.ty(value).clone();
        let any = self.any(&ty, "a letter that is not ASCII", span, false);
        self.pool().either(foreign, any, mapped)
    }

    /// Whether a character is of a class, as any number that is not 0; what is not ASCII depends on
    /// the locale.
    fn is_of_class(&mut self, name: &str, value: ExprId, is: fn(u8) -> bool, span: Span) -> ExprId {
        let value = self.kept(value);
        let mut found = self.pool().bool(false);
        let mut at = 0u8;
        while at < 128 {
            if !is(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at < 128 && is(at) {
                at += 1;
            }
            let here = self.is_between(value, i128::from(first), i128::from(at - 1));
            found = self.pool().two(Binary::Or, found, here);
        }
        let int = CType::INT.model().expect("integers are followed");
        let place = self.temporary("a number for yes", int.clone());
        let fact = format!("which number `{name}` returns for yes");
        let outside = self.outside(&fact, span, true);
        let mut ends = [i128::from(i32::MIN), -1, 1, i128::from(i32::MAX)].into_iter();
        let mut end = || {
            let end = ends.next().expect("there are four");
            self.pool().int(end, int.clone())
        };
        let set = ValueSet::Union(vec![
            ValueSet::Between(end(), end()),
            ValueSet::Between(end(), end()),
        ]);
        let one = self.pool().int(1, int.clone());
        self.choose(place.clone(), set, Some(vec![one]), &fact, outside);
        let yes = self.pool().load(place, int.clone());
        let zero = self.pool().int(0, int.clone());
        let answer = self.pool().either(found, yes, zero);
        let foreign = self.is_between(value, 128, 255);
        if self.is_false(foreign) {
            return answer;
        }
        let any = self.any(&int, "whether a character is of a class", span, false);
        self.pool().either(foreign, any, answer)
    }

    /// How long a text is; none if that is not followed. A text that does not end is read behind
    /// the end of its object.
    fn text_length(&mut self, text: &Rvalue, span: Span) -> Option<ExprId> {
        let pointer = self.kept(text.expr?);
        let pts: Pts = text.pts.clone();
        let mut lengths = Vec::new();
        for &object in pts.iter().filter(|&&object| object != NULL) {
            if object < FIRST {
                return None;
            }
            let ends = self.ends_of_texts(object)?;
            lengths.push((object, ends));
        }
        self.null_checked(pointer, &pts, span);
        let long = CType::LONG.model().expect("integers are followed");
        let mut bad = self.pool().bool(false);
        let mut length = self.long(0);
        for (object, ends) in lengths {
            let count = self.count(object);
            let into = self.within(pointer, object, count + 1);
            self.alive_checked(object, into, span);
            let first = self.pool().int(base(object), super::pointer::POINTER);
            let at = self.pool().two(Binary::Sub, pointer, first);
            let at = self.pool().converted(at, &long);
            let none = self.long(-1);
            let mut end = none;
            for (position, ends) in ends.into_iter().enumerate().rev() {
                let position = self.long(position as i128);
                let behind = self.pool().two(Binary::Le, at, position);
                let here = self.pool().two(Binary::And, behind, ends);
                end = self.pool().either(here, position, end);
            }
            let endless = self.pool().two(Binary::Eq, end, none);
            let endless = self.pool().two(Binary::And, into, endless);
            bad = self.pool().two(Binary::Or, bad, endless);
            let own = self.pool().two(Binary::Sub, end, at);
            length = self.pool().either(into, own, length);
        }
        self.fail_if(bad, Kind::Index, span);
        Some(self.kept(length))
    }

    /// By cell of an object: whether a text ends there.
    fn ends_of_texts(&mut self, object: usize) -> Option<Vec<ExprId>> {
        match self.storage(object) {
            Storage::Literal(bytes) => {
                let ends = bytes.iter().map(|&byte| byte == 0).collect::<Vec<_>>();
                Some(
                    ends.into_iter()
                        .map(|ends| self.pool().bool(ends))
                        .collect(),
                )
            }
            Storage::Vague => None,
            _ => {
                let places = self.numbered_places(object);
                if places.is_empty()
                    || places.len() > LONGEST_TEXT
                    || places.len() != self.count(object)
                    || self.has_size(object)
                    || self.is_shared(object)
                {
                    return None;
                }
                let mut ends = Vec::new();
                for (_, place, cell) in places {
                    let (CType::Int { bits: 8, .. }, Some(ty)) = (&cell, cell.model()) else {
                        return None;
                    };
                    let value = self.pool().load(place, ty.clone());
                    let zero = self.pool().int(0, ty);
                    ends.push(self.pool().two(Binary::Eq, value, zero));
                }
                Some(ends)
            }
        }
    }

    /// Bytes of memory are set to a value; none if they are not followed one by one.
    fn set_bytes(&mut self, to: &Rvalue, byte: ExprId, bytes: ExprId, span: Span) -> Option<()> {
        let pointer = self.kept(to.expr?);
        let byte = self.program_number(byte)?;
        let objects = to.pts.iter().filter(|&&object| object != NULL);
        if !objects.clone().all(|&object| object >= FIRST) {
            return None;
        }
        for &object in objects.clone() {
            self.extent(object, pointer)?;
        }
        let objects: Vec<usize> = objects.copied().collect();
        self.null_checked(pointer, &to.pts, span);
        self.writable_checked(pointer, &to.pts, span);
        let bytes = self.kept(bytes);
        for object in objects {
            self.wrote(object);
            let extent = self.extent(object, pointer)?;
            let end = self.pool().two(Binary::Add, extent.before, bytes);
            for (at, place, cell) in self.numbered_places(object) {
                let Some(ty) = cell.model() else {
                    continue;
                };
                let (size, _) = self.records.size(&cell)?;
                let start = i128::from(extent.starts[at]);
                let last = i128::from(extent.lasts[at]);
                let (start, last) = (self.long(start), self.long(last));
                let behind = self.pool().two(Binary::Le, extent.before, start);
                let begun = self.pool().two(Binary::Lt, start, end);
                let whole = self.pool().two(Binary::Lt, last, end);
                let mut here = self.pool().two(Binary::And, extent.here, behind);
                here = self.pool().two(Binary::And, here, begun);
                if self.is_false(here) {
                    continue;
                }
                let partly = self.pool().not(whole);
                let partly = self.pool().two(Binary::And, here, partly);
                self.sink_if(partly, "a number of which a part is set", span);
                // A bit-field need not begin with a byte.
                let is_field = matches!(cell, CType::Int { bits, .. } if bits % 8 != 0);
                if is_field && !matches!(byte & 255, 0 | 255) {
                    self.sink_if(here, "a bit-field that is set by bytes", span);
                    continue;
                }
                let is_pointer = matches!(cell, CType::Pointer(_));
                if is_pointer && byte & 255 != 0 {
                    self.sink_if(here, "a pointer that is set by bytes", span);
                    continue;
                }
                let pattern = (0..size).fold(0i128, |all, _| all << 8 | byte & 255);
                let value = match cell {
                    CType::Bool => self.pool().bool(pattern != 0),
                    _ => self.pool().int(ty.wrap(pattern), ty),
                };
                let set = Stmt::Assign(place, value);
                match self.is_true(here) {
                    true => self.emit(set),
                    false => self.emit(Stmt::If(here, vec![set], Vec::new())),
                }
            }
        }
        Some(())
    }
}
