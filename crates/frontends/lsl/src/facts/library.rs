//! The tables of library functions, events and builtin constants.
//!
//! The facts come from `lsl_definitions.yaml` of the MIT-licensed
//! secondlife/lsl-definitions (© 2025 Linden Research, Inc.), state of
//! 2026-07-20, reduced to names, types, values and flags and kept as three
//! tab-separated tables beside this file. What the tables do not say (which
//! call causes which event, what may fail) is the business of lowering.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::types::Type;

/// A parameter of a library function or of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in the documentation.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
}

/// A library function.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a function, as the source lists them"
)]
pub struct Function {
    /// Its name, such as `llSay`.
    pub name: &'static str,
    /// What it returns; `None` for nothing.
    pub result: Option<Type>,
    /// Its parameters.
    pub parameters: Box<[Parameter]>,
    /// How long the script sleeps when it has been called, in milliseconds.
    pub sleep_ms: u32,
    /// The result depends on the arguments only, and nothing else happens.
    pub pure: bool,
    /// There is no reason to call it but its result.
    pub must_use: bool,
    /// The script needs one of these permissions; empty for none.
    pub permissions: Box<[&'static str]>,
    /// Kept for old scripts.
    pub deprecated: bool,
    /// Works for Linden Lab's staff only.
    pub god_mode: bool,
    /// The script must be compiled for an experience.
    pub experience: bool,
    /// Left out of the public documentation.
    pub private: bool,
    /// The result is 0 or 1.
    pub boolean: bool,
    /// The result is an index from 0, or -1.
    pub index: bool,
    /// Reads what the event at hand detected.
    pub detected: bool,
}

/// A kind of event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its name, such as `touch_start`.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: Box<[Parameter]>,
    /// Never raised any more.
    pub deprecated: bool,
    /// Comes with things detected, whose number is the event's parameter.
    pub detected: bool,
}

/// A builtin constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Constant {
    /// Its name, such as `TRUE`.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
    /// Kept for old scripts.
    pub deprecated: bool,
}

/// The value of a builtin constant. None is a key or a list: `NULL_KEY` is a
/// string.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the variants are LSL's types")]
pub enum Value {
    Integer(i32),
    Float(f32),
    String(String),
    Vector([f32; 3]),
    Rotation([f32; 4]),
}

impl Constant {
    /// Its type.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self.value {
            Value::Integer(_) => Type::Integer,
            Value::Float(_) => Type::Float,
            Value::String(_) => Type::String,
            Value::Vector(_) => Type::Vector,
            Value::Rotation(_) => Type::Rotation,
        }
    }
}

/// The library function with this name.
#[must_use]
pub fn function(name: &str) -> Option<&'static Function> {
    let library = library();
    Some(&library.functions[*library.function_index.get(name)?])
}

/// The event with this name.
#[must_use]
pub fn event(name: &str) -> Option<&'static Event> {
    events().iter().find(|event| event.name == name)
}

/// The builtin constant with this name.
#[must_use]
pub fn constant(name: &str) -> Option<&'static Constant> {
    let library = library();
    Some(&library.constants[*library.constant_index.get(name)?])
}

/// All library functions, by name.
#[must_use]
pub fn functions() -> &'static [Function] {
    &library().functions
}

/// All events, by name.
#[must_use]
pub fn events() -> &'static [Event] {
    &library().events
}

/// All builtin constants, by name.
#[must_use]
pub fn constants() -> &'static [Constant] {
    &library().constants
}

struct Library {
    functions: Vec<Function>,
    events: Vec<Event>,
    constants: Vec<Constant>,
    function_index: HashMap<&'static str, usize>,
    constant_index: HashMap<&'static str, usize>,
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let functions: Vec<Function> = rows(include_str!("functions.tsv"), row_function);
        let constants: Vec<Constant> = rows(include_str!("constants.tsv"), row_constant);
        Library {
            function_index: functions.iter().map(|f| f.name).zip(0..).collect(),
            constant_index: constants.iter().map(|c| c.name).zip(0..).collect(),
            events: rows(include_str!("events.tsv"), row_event),
            functions,
            constants,
        }
    })
}

fn rows<T>(table: &'static str, read: fn(&[&'static str]) -> T) -> Vec<T> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| read(&line.split('\t').collect::<Vec<_>>()))
        .collect()
}

const WELL_FORMED: &str = "the tables are part of the program and tested as a whole";

fn row_type(word: &str) -> Type {
    Type::from_keyword(word).expect(WELL_FORMED)
}

fn row_parameters(cell: &'static str) -> Box<[Parameter]> {
    cell.split(", ")
        .filter(|parameter| !parameter.is_empty())
        .map(|parameter| {
            let (ty, name) = parameter.split_once(' ').expect(WELL_FORMED);
            Parameter {
                name,
                ty: row_type(ty),
            }
        })
        .collect()
}

fn row_function(row: &[&'static str]) -> Function {
    let flag = |name: &str| row[4].split(',').any(|flag| flag == name);
    let seconds: f64 = row[3].parse().expect(WELL_FORMED);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sleeps are between 0 and 20 seconds"
    )]
    let sleep_ms = (seconds * 1000.0).round() as u32;
    Function {
        name: row[0],
        result: (row[1] != "void").then(|| row_type(row[1])),
        parameters: row_parameters(row[2]),
        sleep_ms,
        pure: flag("pure"),
        must_use: flag("must-use"),
        permissions: row[5].split(',').filter(|name| !name.is_empty()).collect(),
        deprecated: flag("deprecated"),
        god_mode: flag("god-mode"),
        experience: flag("experience"),
        private: flag("private"),
        boolean: flag("bool"),
        index: flag("index"),
        detected: flag("detected"),
    }
}

fn row_event(row: &[&'static str]) -> Event {
    let flag = |name: &str| row[2].split(',').any(|flag| flag == name);
    Event {
        name: row[0],
        parameters: row_parameters(row[1]),
        deprecated: flag("deprecated"),
        detected: flag("detected"),
    }
}

fn row_constant(row: &[&'static str]) -> Constant {
    let value = match row_type(row[1]) {
        Type::Integer => Value::Integer(row[2].parse().expect(WELL_FORMED)),
        Type::Float => Value::Float(row[2].parse().expect(WELL_FORMED)),
        Type::String => Value::String(unescape(row[2])),
        Type::Vector => Value::Vector(components(row[2])),
        Type::Rotation => Value::Rotation(components(row[2])),
        Type::Key | Type::List => unreachable!("{WELL_FORMED}"),
    };
    Constant {
        name: row[0],
        value,
        deprecated: row[3].split(',').any(|flag| flag == "deprecated"),
    }
}

fn components<const N: usize>(cell: &str) -> [f32; N] {
    let mut parts = cell.trim_matches(['<', '>']).split(", ");
    std::array::from_fn(|_| {
        let part = parts.next().expect(WELL_FORMED);
        part.parse().expect(WELL_FORMED)
    })
}

/// Replaces the escapes of the tables: `\n`, `\xHH` and `\u{H...}`.
fn unescape(cell: &str) -> String {
    let mut text = String::new();
    let mut rest = cell;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (digits, len) = match escape.as_bytes()[0] {
            b'n' => ("a", 1),
            b'x' => (&escape[1..3], 3),
            b'u' => {
                let close = escape.find('}').expect(WELL_FORMED);
                (&escape[2..close], close + 1)
            }
            other => unreachable!("escape {other}: {WELL_FORMED}"),
        };
        let code = u32::from_str_radix(digits, 16).expect(WELL_FORMED);
        text.push(char::from_u32(code).expect(WELL_FORMED));
        rest = &escape[len..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(functions().len(), 526);
        assert_eq!(events().len(), 43);
        assert_eq!(constants().len(), 1028);
        assert_eq!(functions().iter().filter(|f| f.pure).count(), 68);
        assert_eq!(functions().iter().filter(|f| f.must_use).count(), 206);
        assert_eq!(functions().iter().filter(|f| f.private).count(), 7);
        let asking = functions().iter().filter(|f| !f.permissions.is_empty());
        assert_eq!(asking.count(), 26);
        for table in [
            functions().iter().map(|f| f.name).collect::<Vec<_>>(),
            events().iter().map(|e| e.name).collect(),
            constants().iter().map(|c| c.name).collect(),
        ] {
            assert!(table.is_sorted_by(|a, b| a < b), "sorted, no name twice");
        }
    }

    #[test]
    fn a_function_has_its_facts() {
        let give = function("llGiveMoney").unwrap();
        assert_eq!(give.result, Some(Type::Integer));
        let types: Vec<Type> = give.parameters.iter().map(|p| p.ty).collect();
        assert_eq!(types, [Type::Key, Type::Integer]);
        assert_eq!(*give.permissions, ["PERMISSION_DEBIT"]);
        assert!(!give.pure && !give.must_use);
        assert_eq!(function("llInstantMessage").unwrap().sleep_ms, 2000);
        assert_eq!(function("llGetNotecardLine").unwrap().sleep_ms, 100);
        assert_eq!(function("llSay").unwrap().result, None);
        assert!(function("llAbs").unwrap().pure);
        assert_eq!(function("llNothing"), None);
    }

    #[test]
    fn an_event_has_its_parameters() {
        let money = event("money").unwrap();
        let names: Vec<&str> = money.parameters.iter().map(|p| p.name).collect();
        assert_eq!(names, ["id", "amount"]);
        assert!(event("state_entry").unwrap().parameters.is_empty());
        assert!(event("touch_start").unwrap().detected);
        assert_eq!(event("touched"), None);
    }

    #[test]
    fn constants_have_their_values() {
        let value = |name: &str| constant(name).unwrap().value.clone();
        assert_eq!(value("TRUE"), Value::Integer(1));
        assert_eq!(value("PI"), Value::Float(std::f32::consts::PI));
        assert_eq!(value("EOF"), Value::String("\n\n\n".to_owned()));
        assert_eq!(value("NAK"), Value::String("\n\u{15}\n".to_owned()));
        assert_eq!(value("JSON_TRUE"), Value::String("\u{FDD6}".to_owned()));
        assert_eq!(
            value("ZERO_ROTATION"),
            Value::Rotation([0.0, 0.0, 0.0, 1.0])
        );
        assert_eq!(
            value("TOUCH_INVALID_TEXCOORD"),
            Value::Vector([-1.0, -1.0, 0.0])
        );
        assert_eq!(constant("NULL_KEY").unwrap().ty(), Type::String);
        assert_eq!(constant("true"), None);
    }
}
