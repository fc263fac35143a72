//! Functions that write a text whose length nobody tells them.
//!
//! The longest text that such a call can write is computed where formats and sources are known; if
//! it fits, the call is fine. If it does not, whether a text is so long is not followed, unless all
//! of the text is known.

use model::{Binary, ExprId};
use source::Span;

use crate::ctype::CType;

use super::Lowering;
use super::build::Build;
use super::checks::Kind;
use super::pointer::{FIRST, OUTSIDE, Pts};
use super::value::Rvalue;

/// What the text is made of.
#[derive(Clone, Copy)]
enum Source {
    /// The text behind an argument.
    Copied(usize),
    /// What is there already, and the text behind an argument, or as much of it as another argument
    /// says.
    Appended(usize, Option<usize>),
    /// A format and what follows it; a limit may stand at another position.
    Formatted(usize, Option<usize>),
    /// Whatever comes from outside, up to a limit at a position, if there is one.
    Outside(Option<usize>),
}

/// Functions with the position of the memory that they write, and what they write there.
const TEXTS: &[(&str, usize, Source)] = &[
    ("gethostname", 0, Source::Outside(Some(1))),
    ("getnameinfo", 2, Source::Outside(Some(3))),
    ("getnameinfo", 4, Source::Outside(Some(5))),
    ("gets", 0, Source::Outside(None)),
    ("if_indextoname", 1, Source::Outside(None)),
    ("inet_ntop", 2, Source::Outside(Some(3))),
    ("realpath", 1, Source::Outside(None)),
    ("snprintf", 0, Source::Formatted(2, Some(1))),
    ("sprintf", 0, Source::Formatted(1, None)),
    ("strcat", 0, Source::Appended(1, None)),
    ("strcpy", 0, Source::Copied(1)),
    ("strftime", 0, Source::Outside(Some(1))),
    ("strncat", 0, Source::Appended(1, Some(2))),
    ("vsnprintf", 0, Source::Outside(Some(1))),
    ("vsprintf", 0, Source::Outside(None)),
];

/// The length of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Length {
    Known(u64),
    AtMost(u64),
    Any,
}

impl Length {
    fn and(self, other: Length) -> Length {
        match (self, other) {
            (Length::Known(a), Length::Known(b)) => Length::Known(a + b),
            (Length::Any, _) | (_, Length::Any) => Length::Any,
            (Length::Known(a) | Length::AtMost(a), Length::Known(b) | Length::AtMost(b)) => {
                Length::AtMost(a + b)
            }
        }
    }
}

impl Lowering<'_> {
    /// The text that a function writes fits into the memory that it is given.
    pub(super) fn text_checked(&mut self, name: &str, arguments: &[Rvalue], span: Span) {
        for (_, at, source) in TEXTS.iter().filter(|(known, ..)| *known == name) {
            self.one_text_checked(name, (*at, *source), arguments, span);
        }
    }

    fn one_text_checked(
        &mut self,
        name: &str,
        (at, source): (usize, Source),
        arguments: &[Rvalue],
        span: Span,
    ) {
        let Some((target, pointer)) = arguments
            .get(at)
            .and_then(|target| Some((target, target.expr?)))
        else {
            return;
        };
        let limit = match source {
            Source::Formatted(_, limit) | Source::Outside(limit) => {
                limit.and_then(|at| self.bytes(arguments, &[at], span))
            }
            Source::Copied(_) | Source::Appended(..) => None,
        };
        let length = match source {
            Source::Copied(at) => self.length_behind(arguments.get(at)),
            Source::Appended(at, most) => {
                let known = most.and_then(|at| self.bytes(arguments, &[at], span));
                let known = known.and_then(|most| self.program_number(most));
                let added = self.length_behind(arguments.get(at));
                match (added, known.and_then(|most| u64::try_from(most).ok())) {
                    // What is there already is not followed.
                    (Length::Known(0), _) | (_, Some(0)) => return,
                    _ => Length::Any,
                }
            }
            Source::Formatted(at, _) => self.length_of_format(arguments, at),
            Source::Outside(_) => Length::Any,
        };
        let bytes = match length {
            Length::Known(length) | Length::AtMost(length) => {
                let with_end = self.long(i128::from(length) + 1);
                match limit {
                    // Not more is written than the limit says.
                    Some(limit) => {
                        let negative = self.long(0);
                        let negative = self.pool().two(Binary::Lt, limit, negative);
                        let less = self.pool().two(Binary::Lt, limit, with_end);
                        let large = self.pool().not(negative);
                        let less = self.pool().two(Binary::And, large, less);
                        self.pool().either(less, limit, with_end)
                    }
                    None => with_end,
                }
            }
            Length::Any => match limit {
                Some(limit) => limit,
                None => self.long(i128::from(i64::MAX)),
            },
        };
        match length {
            Length::Known(_) => self.bytes_checked(pointer, &target.pts, bytes, span),
            // Whoever is at the other end may send as much.
            _ => self.fits(name, (pointer, &target.pts), bytes, name == "gets", span),
        }
    }

    /// Texts that are read by a format fit into the memory that is given for them.
    pub(super) fn scan_checked(&mut self, name: &str, arguments: &[Rvalue], span: Span) {
        let at = match name {
            "scanf" => 0,
            "fscanf" | "sscanf" => 1,
            _ => return,
        };
        let format = arguments
            .get(at)
            .and_then(|format| self.literal_text(format));
        let Some(format) = format else {
            // Any of the arguments may be for a text of any length.
            for target in arguments.iter().skip(at + 1) {
                self.any_text(name, Some(target), span);
            }
            return;
        };
        let mut rest = &format[..];
        let mut next = at + 1;
        while let Some((&byte, behind)) = rest.split_first() {
            rest = behind;
            if byte != b'%' {
                continue;
            }
            let skipped = rest.first() == Some(&b'*');
            if skipped {
                rest = &rest[1..];
            }
            let Some(conversion) = Conversion::read(&mut rest) else {
                for target in arguments.iter().skip(next) {
                    self.any_text(name, Some(target), span);
                }
                return;
            };
            if skipped || conversion.kind == b'%' {
                continue;
            }
            let target = arguments.get(next);
            next += 1;
            let bytes = match (conversion.kind, conversion.width) {
                (b's' | b'[', 0) => self.long(i128::from(i64::MAX)),
                (b's' | b'[', width) => self.long(i128::from(width) + 1),
                (b'c', width) => self.long(i128::from(width.max(1))),
                _ => continue,
            };
            if let Some((pointer, target)) = target.and_then(|one| Some((one.expr?, one))) {
                let pts = target.pts.clone();
                self.fits(name, (pointer, &pts), bytes, name != "sscanf", span);
            }
        }
    }

    /// An argument may be for a text of any length.
    fn any_text(&mut self, name: &str, target: Option<&Rvalue>, span: Span) {
        if let Some((pointer, target)) = target.and_then(|one| Some((one.expr?, one)))
            && matches!(target.ty, CType::Pointer(_))
        {
            let most = self.long(i128::from(i64::MAX));
            let pts = target.pts.clone();
            self.fits(name, (pointer, &pts), most, false, span);
        }
    }

    fn fits(
        &mut self,
        name: &str,
        (pointer, pts): (ExprId, &Pts),
        bytes: ExprId,
        exact: bool,
        span: Span,
    ) {
        let mut bad = self.pool().bool(false);
        for &object in pts.iter().filter(|&&object| object >= FIRST) {
            let over = match self.exceeds(object, pointer, bytes) {
                Some(over) => over,
                None => self.is_into(pointer, object),
            };
            bad = self.pool().two(Binary::Or, bad, over);
        }
        if self.is_false(bad) {
            return;
        }
        let long = self.any_truth(&format!("how long the text of `{name}` is"), span, exact);
        let bad = self.pool().two(Binary::And, bad, long);
        self.fail_if(bad, Kind::Index, span);
    }

    /// How long the text behind an argument is, which ends within its object.
    fn length_behind(&mut self, argument: Option<&Rvalue>) -> Length {
        let Some(argument) = argument else {
            return Length::Any;
        };
        if let Some(text) = self.literal_text(argument) {
            return Length::Known(text.len() as u64);
        }
        let mut most = 0;
        for &object in argument.pts.iter() {
            if object == OUTSIDE {
                return Length::Any;
            }
            if object < FIRST {
                continue;
            }
            let ty = self.known(object).ty.clone();
            match self.records.size(&ty) {
                Some((size, _)) if !self.has_size(object) => {
                    most = most.max(size.saturating_sub(1));
                }
                _ => return Length::Any,
            }
        }
        Length::AtMost(most)
    }

    /// How long what a format makes of the arguments behind it is.
    fn length_of_format(&mut self, arguments: &[Rvalue], at: usize) -> Length {
        let format = arguments
            .get(at)
            .and_then(|format| self.literal_text(format));
        let Some(format) = format else {
            return Length::Any;
        };
        let mut length = Length::Known(0);
        let mut next = at + 1;
        let mut rest = &format[..];
        while let Some((&byte, behind)) = rest.split_first() {
            rest = behind;
            if byte != b'%' {
                length = length.and(Length::Known(1));
                continue;
            }
            let Some(conversion) = Conversion::read(&mut rest) else {
                return Length::Any;
            };
            if conversion.kind == b'%' {
                length = length.and(Length::Known(1));
                continue;
            }
            let own = match conversion.kind {
                b'd' | b'i' | b'u' => Length::AtMost(20),
                b'x' | b'X' => Length::AtMost(18),
                b'o' => Length::AtMost(24),
                b'p' => Length::AtMost(20),
                b'c' => Length::Known(1),
                b's' => match (
                    self.length_behind(arguments.get(next)),
                    conversion.precision,
                ) {
                    (Length::Any, Some(most)) => Length::AtMost(most),
                    (Length::Known(length) | Length::AtMost(length), Some(most)) => {
                        Length::AtMost(length.min(most))
                    }
                    (length, None) => length,
                },
                _ => return Length::Any,
            };
            let own = match self.narrow(arguments.get(next), conversion.kind) {
                Some(most) => Length::AtMost(most),
                None => own,
            };
            // Precision and width make numbers longer.
            let least = match conversion.kind {
                b's' => conversion.width,
                _ => conversion.width.max(conversion.precision.unwrap_or(0) + 2),
            };
            length = length.and(match own {
                Length::Known(own) if least <= own => Length::Known(own),
                Length::Known(own) | Length::AtMost(own) => Length::AtMost(own.max(least)),
                Length::Any => Length::Any,
            });
            next += 1;
        }
        length
    }

    /// The digits and the sign of a number of at most 32 bits.
    fn narrow(&self, argument: Option<&Rvalue>, kind: u8) -> Option<u64> {
        let narrow = match argument?.ty {
            CType::Int { bits, .. } => bits <= 32,
            CType::Bool => true,
            _ => false,
        };
        (narrow && matches!(kind, b'd' | b'i' | b'u')).then_some(11)
    }
}

/// What stands behind a percent sign.
struct Conversion {
    width: u64,
    precision: Option<u64>,
    kind: u8,
}

impl Conversion {
    /// Reads one; none if its length depends on an argument.
    fn read(rest: &mut &[u8]) -> Option<Conversion> {
        skip(rest, |byte| b"-+ #0".contains(&byte));
        let width = number(rest)?;
        let precision = match rest.split_first() {
            Some((b'.', behind)) => {
                *rest = behind;
                Some(number(rest)?)
            }
            _ => None,
        };
        skip(rest, |byte| b"hlLqjzt".contains(&byte));
        let (&kind, behind) = rest.split_first()?;
        *rest = behind;
        (kind != b'*').then_some(Conversion {
            width,
            precision,
            kind,
        })
    }
}

fn skip(rest: &mut &[u8], is: impl Fn(u8) -> bool) {
    while let Some((_, behind)) = rest.split_first().filter(|(byte, _)| is(**byte)) {
        *rest = behind;
    }
}

/// A number in decimal, 0 if there is none; none if an argument gives it, or it is too large.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut value: u64 = 0;
    while let Some((&byte, behind)) = rest.split_first() {
        match byte {
            b'0'..=b'9' => value = value.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?,
            b'*' => return None,
            _ => break,
        }
        *rest = behind;
    }
    (value < 1 << 32).then_some(value)
}
