//! What can be said of annotations without knowing the script: names used twice, assumptions
//! for properties that do not exist, bounds of nothing.

use std::collections::HashMap;

use source::{Diagnostic, Diagnostics, Span};

use super::syntax::{Annotations, AssumptionKind, Bound, Leaf};
use crate::check::suggest;
use crate::codes::property as code;
use crate::facts;

/// The names of bounds that are not parameters of events.
const BOUNDS: [&str; 6] = [
    "amount",
    "bidders",
    "avatars",
    "payers",
    "events-per-timer",
    "lost-payments",
];

/// Reports what is wrong with annotations as such.
pub(super) fn validate(annotations: &Annotations, diagnostics: &mut Diagnostics) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    for property in &annotations.properties {
        let first = *names.entry(&property.name).or_insert(property.name_span);
        if first != property.name_span {
            diagnostics.push(
                Diagnostic::error(
                    code::DUPLICATE,
                    format!("there are two properties named `{}`", property.name),
                )
                .at(property.name_span)
                .label(first, "the first"),
            );
        }
    }
    for assumption in &annotations.assumptions {
        for (name, span) in assumption.properties.iter().flatten() {
            if names.contains_key(name.as_str()) || annotations.unread.contains(name) {
                continue;
            }
            let mut diagnostic =
                Diagnostic::error(code::PROPERTY, format!("there is no property `{name}`"))
                    .at(*span);
            if let Some(similar) = suggest(name, names.keys().copied()) {
                diagnostic = diagnostic.fix_it(*span, similar, format!("write `{similar}`"));
            }
            diagnostics.push(diagnostic);
        }
        let AssumptionKind::Always(formula) = &assumption.kind else {
            continue;
        };
        let mut events = false;
        formula.leaves(&mut |leaf| events |= matches!(leaf, Leaf::Pattern(_)));
        if events || !formula.is_present() {
            diagnostics.push(
                Diagnostic::error(
                    code::ASSUMPTION,
                    "`assume always` takes an expression about variables",
                )
                .at(assumption.span)
                .help("about events, write `assume when EVENT require E`"),
            );
        }
        if assumption.properties.is_some() {
            diagnostics.push(
                Diagnostic::error(
                    code::ASSUMPTION,
                    "`assume always` holds for all properties of a file",
                )
                .at(assumption.span)
                .help("for one property, put it into the property: `always (E -> ...)`"),
            );
        }
    }
    for bound in &annotations.bounds {
        if let Err(diagnostic) = bound_name(bound) {
            diagnostics.push(*diagnostic);
        }
    }
}

/// Whether a bound bounds something.
pub(super) fn bound_name(bound: &Bound) -> Result<(), Box<Diagnostic>> {
    let name = bound.name.as_str();
    if BOUNDS.contains(&name) {
        if name != "amount" && bound.hi < 0 {
            let diagnostic = Diagnostic::error(code::BOUND, "a number of things is not negative");
            return Err(Box::new(diagnostic.at(bound.span)));
        }
        if name == "amount" && bound.lo < 0 {
            let diagnostic = Diagnostic::error(code::BOUND, "nobody can pay a negative amount")
                .help("payments are of L$0 and more");
            return Err(Box::new(diagnostic.at(bound.span)));
        }
        return Ok(());
    }
    let message = format!("`{name}` is nothing that can be bounded");
    let diagnostic = Diagnostic::error(code::BOUND, message).at(bound.span);
    let Some((event, parameter)) = name.split_once('.') else {
        let help = format!(
            "bounds are {}, and parameters of events such as `touch_start.num_detected`",
            BOUNDS.map(|known| format!("`{known}`")).join(", ")
        );
        let diagnostic = match suggest(name, BOUNDS) {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic.help(help),
        };
        return Err(Box::new(diagnostic));
    };
    let Some(event) = facts::event(event) else {
        return Err(Box::new(
            diagnostic.help(format!("LSL has no event `{event}`")),
        ));
    };
    let mut integers = event
        .parameters
        .iter()
        .filter(|parameter| parameter.ty == crate::Type::Integer);
    if integers.any(|known| known.name == parameter) {
        return Ok(());
    }
    let names: Vec<_> = event
        .parameters
        .iter()
        .filter(|parameter| parameter.ty == crate::Type::Integer)
        .map(|parameter| format!("`{}.{}`", event.name, parameter.name))
        .collect();
    Err(Box::new(if names.is_empty() {
        diagnostic.help(format!("`{}` has no integer parameter", event.name))
    } else {
        diagnostic.help(format!("of this event: {}", names.join(", ")))
    }))
}
