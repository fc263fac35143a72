//! What an editor says of a library function, an event or a constant: its declaration, what a call can
//! fail at, and what verification makes of it.

use std::fmt::Write as _;

use model::Lifetime;

use crate::facts::{self, Class, Constant, Effect, Event, Function, Role, Value};

/// A library function as it would be declared.
pub(super) fn function_signature(function: &Function) -> String {
    let result = function.result.map_or("", |ty| ty.keyword());
    let gap = if result.is_empty() { "" } else { " " };
    let parameters = parameters(&function.parameters);
    format!("{result}{gap}{}({parameters})", function.name)
}

/// An event as its handlers are written.
pub(super) fn event_signature(event: &Event) -> String {
    format!("{}({})", event.name, parameters(&event.parameters))
}

/// A constant and its value.
pub(super) fn constant_signature(constant: &Constant) -> String {
    let value = match &constant.value {
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::String(value) => format!("{value:?}"),
        Value::Vector(parts) => components(parts),
        Value::Rotation(parts) => components(parts),
    };
    format!("{} {} = {value}", constant.ty().keyword(), constant.name)
}

fn components(parts: &[f32]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("{part:?}")).collect();
    format!("<{}>", parts.join(", "))
}

fn parameters(parameters: &[facts::Parameter]) -> String {
    let parameters: Vec<String> = parameters
        .iter()
        .map(|parameter| format!("{} {}", parameter.ty.keyword(), parameter.name))
        .collect();
    parameters.join(", ")
}

/// What there is to say of a library function.
pub(super) fn function_text(function: &Function) -> String {
    let mut notes = Vec::new();
    if function.deprecated {
        notes.push("It is kept for old scripts only.".to_owned());
    }
    if !function.permissions.is_empty() {
        let permissions = function.permissions.join("` or `");
        notes.push(format!(
            "Fails without the permission `{permissions}`, which the script has to ask for."
        ));
    }
    if function.experience {
        notes.push("Fails in scripts that are not compiled for an experience.".to_owned());
    }
    if function.god_mode {
        notes.push("Fails for everybody but the staff of Linden Lab.".to_owned());
    }
    if function.detected {
        notes.push("Reads what the event at hand detected; elsewhere there is nothing.".to_owned());
    }
    if function.index {
        notes.push("Gives an index from 0, or -1 if there is none.".to_owned());
    } else if function.boolean {
        notes.push("Gives 0 or 1.".to_owned());
    }
    if function.must_use {
        notes.push("Does nothing but give its result.".to_owned());
    }
    if function.sleep_ms > 0 {
        let seconds = f64::from(function.sleep_ms) / 1000.0;
        notes.push(format!(
            "The script sleeps {seconds} seconds at each call; meanwhile the world moves on."
        ));
    }
    let mut text = notes.join("\n\n");
    if let Some(role) = facts::role(function.name) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str("**In verification:** ");
        text.push_str(&role_text(role));
    }
    text
}

/// What a call is to the verification.
fn role_text(role: &Role) -> String {
    let note = role.note;
    match &role.class {
        Class::Exact => note.to_owned(),
        Class::Reads { fact, .. } => {
            let fact = fact.replace('-', " ");
            let lifetime = match role.lifetime {
                Some(Lifetime::Run) => "which stays as it is in a run",
                Some(Lifetime::Event) => "which stays as it is until an event changes it",
                Some(Lifetime::Step) => "which may change between two events",
                Some(Lifetime::Reading) => "which may change from one call to the next",
                None => "which moves on like a clock",
            };
            format!("reads {fact}, {lifetime}: {note}")
        }
        Class::Causes(effects) => {
            let effects: Vec<String> = effects.iter().filter_map(effect_text).collect();
            match effects.is_empty() {
                true => note.to_owned(),
                false => format!("{}: {note}", effects.join(", ")),
            }
        }
        Class::Fresh(what) => format!("a new value at each call, {what}: {note}"),
        Class::Nothing => format!("no effect that a script can see: {note}"),
    }
}

fn effect_text(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Answer(event) => format!("`{event}` answers"),
        Effect::Event(event) => format!("`{event}` may come"),
        Effect::On(what) => format!("`{what}` may come from now on"),
        Effect::Off(what) => format!("`{what}` does not come any more"),
        Effect::Sets(fact, _) | Effect::Writes(fact) => format!("sets {}", fact.replace('-', " ")),
        Effect::Changes(fact) => format!("may change {}", fact.replace('-', " ")),
        Effect::Clears(fact) => format!("starts {} again", fact.replace('-', " ")),
        Effect::Ends => "the handler ends here".to_owned(),
        Effect::Rule(_) => return None,
        Effect::Gives(what) => format!("gives {}, which the world decides", what.replace('-', " ")),
    })
}

/// What there is to say of an event.
pub(super) fn event_text(event: &Event) -> String {
    let mut text = String::from("An event of the world.");
    if event.detected {
        text.push_str(" It comes with things detected, whose number is its parameter.");
    }
    if event.deprecated {
        text.push_str(" It is never raised any more.");
    }
    let mut causes: Vec<&str> = facts::roles()
        .iter()
        .filter(|role| {
            role.effects().iter().any(|effect| {
                matches!(effect, Effect::Answer(own) | Effect::Event(own) if *own == event.name)
            })
        })
        .map(|role| role.name)
        .collect();
    causes.truncate(12);
    if !causes.is_empty() {
        write!(text, "\n\nComes after `{}`.", causes.join("`, `"))
            .expect("writing to a string succeeds");
    }
    text
}
