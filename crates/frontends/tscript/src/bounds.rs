//! How much there is of what a script leaves open: tools, events, values.
//!
//! | bound | says |
//! |---|---|
//! | a tool's name | how many tools of this kind there may be |
//! | `connections` | how often each of them connects |
//! | an event's word, a number | how often the event happens, all tools together; with `distinct` behind it, each time with texts of its own |
//! | an event's word, a range | its numbers |
//! | `int`, a range | numbers that tools send, where nothing else is said |
//! | `str` | how many different texts tools send, beside those that stand in the script |
//! | `answers`, the word `polite` | tools answer what they are asked with what somebody reads |
//! | `queue` | how many notes wait for a process at most |
//! | `processes` | how many instances there are at most |
//!
//! What nobody states has a default, and is a *sample*: what holds within it is not known to hold.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use source::{Diagnostic, Diagnostics, Span};

use crate::annotations::Annotations;
use crate::codes::notes as code;

/// A bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// So many, or this value.
    Count(i64),
    Range(i64, i64),
    /// No bound.
    Any,
    /// As the script expects it.
    Polite,
}

/// Larger numbers are cut.
const MOST: i64 = 100;

/// Bounds that have been stated.
#[derive(Debug)]
pub(crate) struct Bounds {
    stated: BTreeMap<String, (Bound, Span)>,
    /// Events that have a text of their own each time.
    distinct: BTreeSet<String>,
    /// Those that have been asked for.
    used: RefCell<BTreeSet<String>>,
}

/// A number, and whether somebody stated it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stated<T> {
    pub(crate) value: T,
    pub(crate) stated: bool,
}

impl Bounds {
    pub(crate) fn new(
        notes: &Annotations,
        command_line: &[(String, String)],
        diagnostics: &mut Diagnostics,
    ) -> Bounds {
        let mut stated = BTreeMap::new();
        let mut distinct = BTreeSet::new();
        let mut add = |name: &str, text: &str, span: Span| {
            match read(text) {
            Some((bound, own)) => {
                stated.insert(name.to_owned(), (bound, span));
                distinct.remove(name);
                if own {
                    distinct.insert(name.to_owned());
                }
            }
            None => diagnostics.push(
                Diagnostic::error(code::BOUND, format!("`{text}` is no bound"))
                    .at(span)
                    .help(
                    "write a number (`2 distinct`, if each time has a text of its own), a range such \
                     as `1..3`, `any` or, for `answers`, `polite`",
                ),
            ),
        }
        };
        for bound in &notes.bounds {
            add(&bound.name, &bound.value, bound.span);
        }
        for (name, value) in command_line {
            add(name.trim(), value, Span::NONE);
        }
        Bounds {
            stated,
            distinct,
            used: RefCell::default(),
        }
    }

    /// What is stated for a name.
    pub(crate) fn get(&self, name: &str) -> Option<Bound> {
        self.used.borrow_mut().insert(name.to_owned());
        self.stated.get(name).map(|(bound, _)| *bound)
    }

    /// How many of something there are, at most 100; `None` means any number.
    pub(crate) fn count(&self, name: &str, default: u8) -> Stated<Option<u8>> {
        let value = match self.get(name) {
            Some(Bound::Count(n) | Bound::Range(_, n)) => u8::try_from(n.clamp(0, MOST)).ok(),
            Some(Bound::Any) => None,
            Some(Bound::Polite) | None => Some(default),
        };
        Stated {
            value,
            stated: self.is_stated(name),
        }
    }

    /// Whether somebody states how many of something there are, and it is not cut further.
    pub(crate) fn is_stated(&self, name: &str) -> bool {
        match self.get(name) {
            Some(Bound::Count(n) | Bound::Range(_, n)) => n <= MOST,
            Some(Bound::Polite) => true,
            Some(Bound::Any) | None => false,
        }
    }

    /// Where a bound is stated.
    pub(crate) fn span(&self, name: &str) -> Span {
        self.stated.get(name).map_or(Span::NONE, |(_, span)| *span)
    }

    /// Whether an event that happens so often only has a text of its own each time.
    pub(crate) fn is_distinct(&self, word: &str) -> bool {
        self.distinct.contains(word)
    }

    /// Reports bounds that nothing asked for.
    pub(crate) fn report_unused(&self, known: &[String], diagnostics: &mut Diagnostics) {
        let used = self.used.borrow();
        for (name, (_, span)) in &self.stated {
            if used.contains(name) || known.contains(name) {
                continue;
            }
            let mut diagnostic = Diagnostic::error(
                code::UNKNOWN_BOUND,
                format!("there is no `{name}` to bound"),
            )
            .at(*span);
            let candidates = used.iter().chain(known).map(String::as_str);
            if let Some(near) = source::suggest(name, candidates) {
                diagnostic = diagnostic.help(format!("`{near}` was probably meant"));
            }
            diagnostics.push(diagnostic);
        }
    }
}

/// A bound, and whether it says `distinct`.
fn read(text: &str) -> Option<(Bound, bool)> {
    let text = text.trim();
    match text {
        "any" => return Some((Bound::Any, false)),
        "polite" => return Some((Bound::Polite, false)),
        _ => {}
    }
    if let Some(count) = text.strip_suffix("distinct") {
        return Some((Bound::Count(count.trim().parse().ok()?), true));
    }
    let bound = match text.split_once("..") {
        Some((lo, hi)) => {
            let (lo, hi): (i64, i64) = (lo.trim().parse().ok()?, hi.trim().parse().ok()?);
            (lo <= hi && hi - lo < MOST).then_some(Bound::Range(lo, hi))
        }
        None => text.parse().ok().map(Bound::Count),
    };
    Some((bound?, false))
}
