//! How much there is of what a script leaves open: tools, events, values.
//!
//! | bound | says |
//! |---|---|
//! | a tool's name | how many tools of this kind there may be |
//! | `connections` | how often each of them connects |
//! | an event's word, a number | how often the event happens, all tools together |
//! | an event's word, a range | its numbers |
//! | `int`, a range | numbers that tools send, where nothing else is said |
//! | `str` | how many different texts tools send |
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
}

/// Bounds that have been stated.
#[derive(Debug)]
pub(crate) struct Bounds {
    stated: BTreeMap<String, (Bound, Span)>,
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
        let mut add = |name: &str, text: &str, span: Span| match read(text) {
            Some(bound) => {
                stated.insert(name.to_owned(), (bound, span));
            }
            None => diagnostics.push(
                Diagnostic::error(code::BOUND, format!("`{text}` is no bound"))
                    .at(span)
                    .help("write a number, a range such as `1..3`, or `any`"),
            ),
        };
        for bound in &notes.bounds {
            add(&bound.name, &bound.value, bound.span);
        }
        for (name, value) in command_line {
            add(name.trim(), value, Span::NONE);
        }
        Bounds {
            stated,
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
        let stated = self.get(name);
        let value = match stated {
            Some(Bound::Count(n) | Bound::Range(_, n)) => u8::try_from(n.clamp(0, 100)).ok(),
            Some(Bound::Any) => None,
            None => Some(default),
        };
        Stated {
            value,
            stated: stated.is_some(),
        }
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

fn read(text: &str) -> Option<Bound> {
    let text = text.trim();
    if text == "any" {
        return Some(Bound::Any);
    }
    match text.split_once("..") {
        Some((lo, hi)) => {
            let (lo, hi) = (lo.trim().parse().ok()?, hi.trim().parse().ok()?);
            (lo <= hi && hi - lo < 100).then_some(Bound::Range(lo, hi))
        }
        None => text.parse().ok().map(Bound::Count),
    }
}
