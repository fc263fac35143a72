//! Checks that need no specification: the bugs that designers' graphs have.
//!
//! Each has a name, the properties that it stands for, and an explanation (`probity explain`).
//! Some are always done; others are asked for in the file, most of them with what they are about:
//!
//! ```json
//! "checks": ["flag-left-set", {"check": "softlock", "goal": "state(Quest) == Done"}]
//! ```
//!
//! Each says when it would be vacuous: a flag that is never set, a join at which nothing arrives.

mod flags;
mod nodes;

use source::{Diagnostic, Diagnostics, suggest};

use crate::claim::Claimed;
use crate::codes::checks as explained;
use crate::codes::meaning as codes;
use crate::formats::own::Asked;
use crate::net::Net;

/// A check.
pub(crate) struct Check {
    /// Its name.
    pub(crate) name: &'static str,
    /// The code of its explanation.
    pub(crate) code: &'static str,
    /// Whether it is done unasked.
    pub(crate) unasked: bool,
    /// What it claims of a net; an error says what it would have to be told.
    pub(crate) claims: fn(&Net, &Asked) -> Result<Vec<Claimed>, String>,
}

/// All checks, in the order of their explanations.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        name: "flag-left-set",
        code: explained::LEFT_SET,
        unasked: true,
        claims: flags::left_set,
    },
    Check {
        name: "value-left-changed",
        code: explained::LEFT_CHANGED,
        unasked: true,
        claims: flags::left_changed,
    },
    Check {
        name: "never-answered",
        code: explained::ANSWERED,
        unasked: false,
        claims: flags::answered,
    },
    Check {
        name: "wrong-during",
        code: explained::DURING,
        unasked: false,
        claims: nodes::during,
    },
    Check {
        name: "softlock",
        code: explained::SOFTLOCK,
        unasked: false,
        claims: flags::softlock,
    },
    Check {
        name: "never-reached",
        code: explained::REACHED,
        unasked: false,
        claims: nodes::reached,
    },
    Check {
        name: "join-never-arrives",
        code: explained::JOIN,
        unasked: true,
        claims: nodes::join,
    },
    Check {
        name: "retrigger-while-waiting",
        code: explained::RETRIGGER,
        unasked: true,
        claims: nodes::retrigger,
    },
    Check {
        name: "two-setters",
        code: explained::SETTERS,
        unasked: false,
        claims: flags::two_setters,
    },
    Check {
        name: "signal-dropped",
        code: explained::DROPPED,
        unasked: true,
        claims: nodes::dropped,
    },
    Check {
        name: "unbalanced",
        code: explained::UNBALANCED,
        unasked: false,
        claims: flags::unbalanced,
    },
    Check {
        name: "latch-never-reset",
        code: explained::LATCH,
        unasked: false,
        claims: nodes::latch,
    },
    Check {
        name: "zero-time-loop",
        code: explained::LOOP,
        unasked: true,
        claims: nodes::zero_time_loop,
    },
    Check {
        name: "modes-together",
        code: explained::TOGETHER,
        unasked: false,
        claims: flags::together,
    },
    Check {
        name: "outlives-owner",
        code: explained::OUTLIVES,
        unasked: false,
        claims: nodes::outlives,
    },
    Check {
        name: "stuck",
        code: explained::STUCK,
        unasked: false,
        claims: flags::stuck,
    },
];

/// What the checks that are wanted claim.
pub(crate) fn claims(
    net: &Net,
    asked: Option<&[Asked]>,
    diagnostics: &mut Diagnostics,
) -> Vec<Claimed> {
    let mut claims = Vec::new();
    let Some(asked) = asked else {
        for check in CHECKS.iter().filter(|check| check.unasked) {
            let asked = Asked {
                name: check.name.to_owned(),
                arguments: Vec::new(),
                span: source::Span::NONE,
            };
            claims.extend((check.claims)(net, &asked).unwrap_or_default());
        }
        return claims;
    };
    for asked in asked {
        let Some(check) = CHECKS.iter().find(|check| check.name == asked.name) else {
            let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
            let message = format!("there is no check `{}`", asked.name);
            let error = Diagnostic::error(codes::CHECK, message).at(asked.span);
            let error = error.did_you_mean(&asked.name, names.iter().copied());
            diagnostics.push(error.help(format!("there are: {}", names.join(", "))));
            continue;
        };
        match (check.claims)(net, asked) {
            Ok(found) => claims.extend(found),
            Err(message) => {
                let error = Diagnostic::error(codes::CHECK, message).at(asked.span);
                diagnostics.push(error.help(format!("probity explain {} says more", check.code)));
            }
        }
    }
    claims
}

/// That a check names something that is not there, and what is there instead.
fn no_such<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match suggest(name, known) {
        Some(near) => format!("there is no {what} `{name}`; there is `{near}`"),
        None => format!("there is no {what} `{name}`"),
    }
}

/// A name for a property: of a check, about something.
fn named(check: &str, about: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || "_-.".contains(c) {
            c
        } else {
            '-'
        }
    };
    format!("{check}.{}", about.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_check_is_explained_under_its_name() {
        let tables = crate::CODES.iter().flat_map(|table| table.iter());
        let docs: Vec<_> = tables.filter(|doc| doc.code.starts_with("NOD04")).collect();
        let explained: Vec<&str> = docs
            .iter()
            .filter_map(|doc| doc.title.split(':').next())
            .collect();
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        assert_eq!(explained, names);
        assert!(
            docs.iter()
                .zip(CHECKS)
                .all(|(doc, check)| doc.code == check.code)
        );
    }
}
