//! Values as people read them.
//!
//! Rich values are printed by their structure alone, whatever language they come from: the
//! functors below are a convention between the front ends and this file.
//!
//! | value | printed |
//! |---|---|
//! | text | in quotes; the null key as `NULL_KEY` |
//! | `key(name)` | the name |
//! | `unknown(what, args...)` | `what(args...)`, or `what` |
//! | `concat(parts...)` | the parts with `+` |
//! | `list(items...)` | `[a, b]` |
//! | `vector(x, y, z)`, `rotation(x, y, z, s)` | `<x, y, z>` |
//! | `as-key(v)`, `value(v)` | `v` |
//! | `apply(name, args...)` | `name(args...)`, or `name` |
//! | `placeholder(type)` | `<type>` |

use std::collections::HashSet;
use std::fmt::Write as _;

use model::{EnumId, Expr, ExprId, GlobalId, Pointer, Program, Rich, Root, Type, Value};

/// The key that names nobody.
const NULL_KEY: &str = "00000000-0000-0000-0000-000000000000";
/// Longer texts are cut.
const LONGEST_TEXT: usize = 120;
/// Most elements shown of a list or an array.
const MOST_ITEMS: usize = 24;
/// Terms nested deeper than this are cut.
const DEEPEST: u32 = 12;

/// A value of a type as people read it.
#[must_use]
pub fn value_text(program: &Program, ty: &Type, value: &Value) -> String {
    named_value_text(program, ty, None, value)
}

/// The same, where the numbers in the value have names.
pub(crate) fn named_value_text(
    program: &Program,
    ty: &Type,
    names: Option<EnumId>,
    value: &Value,
) -> String {
    let mut out = String::new();
    write_value(&mut out, program, (Some(ty), names), value, DEEPEST);
    out
}

/// The value of a global variable.
pub(crate) fn global_text(program: &Program, global: GlobalId, value: &Value) -> String {
    let display = &program.display;
    let constants = display.constant_globals.get(&global);
    let constants = constants.and_then(|name| display.constants.get(name));
    if let (Some(constants), Value::Int(number)) = (constants, value)
        && let Some(name) = constants.name(*number)
    {
        return name;
    }
    let names = display.globals.get(&global).copied();
    let ty = &program.globals[global.index()].ty;
    if let (Some(elements), Type::Array(item, _), Value::Tuple(values)) =
        (display.elements.get(&global), ty, value)
    {
        let element = |(name, value): (&String, &Value)| {
            let value = named_value_text(program, item, names, value);
            format!("{name}: {value}")
        };
        let elements: Vec<String> = elements.iter().zip(values.iter()).map(element).collect();
        return format!("[{}]", elements.join(", "));
    }
    named_value_text(program, ty, names, value)
}

/// A type, and what its numbers are called.
type Shown<'a> = (Option<&'a Type>, Option<EnumId>);

/// The global variables that an expression reads, each once, in order of first mention.
#[must_use]
pub fn mentions(program: &Program, roots: &[ExprId]) -> Vec<GlobalId> {
    let mut found = Vec::new();
    let (mut seen, mut known) = (HashSet::new(), HashSet::new());
    let mut stack: Vec<ExprId> = roots.iter().rev().copied().collect();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        if let Expr::Load(place) = program.exprs.get(id)
            && let Root::Global(global) = place.root
            && known.insert(global)
        {
            found.push(global);
        }
        let at = stack.len();
        program
            .exprs
            .operands(id, |operand| stack.insert(at, operand));
    }
    found
}

fn write_value(out: &mut String, program: &Program, shown: Shown<'_>, value: &Value, depth: u32) {
    let (ty, names) = shown;
    if depth == 0 {
        out.push('…');
        return;
    }
    match value {
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => write_number(out, program, shown, *number),
        Value::Rich(id) => write_rich(out, program, &program.rich.get(*id), depth),
        Value::Pointer(Pointer::Null) => out.push_str("null"),
        Value::Pointer(Pointer::Dangling) => out.push_str("a freed object"),
        Value::Pointer(Pointer::Cell { object, offset }) => {
            let name = match ty {
                Some(Type::Pointer(id)) => program.objects[id.index()].name.as_str(),
                _ => "object",
            };
            push(out, format_args!("{name} {object}"));
            if *offset > 0 {
                push(out, format_args!("+{offset}"));
            }
        }
        Value::Procedure(id) => push(out, format_args!("procedure {}", id.0)),
        Value::Tuple(items) => write_tuple(out, program, (ty, names), items, depth),
    }
}

fn write_number(out: &mut String, program: &Program, (ty, names): Shown<'_>, number: i128) {
    if let Some(names) = names {
        let members = &program.enums[names.index()].members;
        if let Some(member) = usize::try_from(number).ok().and_then(|n| members.get(n)) {
            out.push_str(member);
            return;
        }
    }
    match ty {
        Some(Type::Bool) => out.push_str(if number == 0 { "false" } else { "true" }),
        Some(Type::Enum(id)) => {
            let members = &program.enums[id.index()].members;
            match usize::try_from(number).ok().and_then(|n| members.get(n)) {
                Some(member) => out.push_str(member),
                None => push(out, format_args!("{number}")),
            }
        }
        Some(Type::Channel) if number == 0 => out.push_str("no channel"),
        Some(Type::Channel) => push(out, format_args!("channel {number}")),
        _ => push(out, format_args!("{number}")),
    }
}

fn write_tuple(
    out: &mut String,
    program: &Program,
    (ty, names): Shown<'_>,
    items: &[Value],
    depth: u32,
) {
    if let Some(Type::Record(id)) = ty {
        out.push('{');
        for (index, (item, (name, ty))) in items
            .iter()
            .zip(&program.records[id.index()].fields)
            .enumerate()
        {
            push(
                out,
                format_args!("{}{name}: ", if index == 0 { "" } else { ", " }),
            );
            let names = program.display.record_fields.get(&(*id, index)).copied();
            write_value(out, program, (Some(ty), names), item, depth - 1);
        }
        out.push('}');
        return;
    }
    let item_type = match ty {
        Some(Type::Array(item, _)) => Some(&**item),
        _ => None,
    };
    out.push('[');
    write_items(out, program, (item_type, names), items, depth);
    out.push(']');
}

fn write_items(out: &mut String, program: &Program, shown: Shown<'_>, items: &[Value], depth: u32) {
    for (index, item) in items.iter().take(MOST_ITEMS).enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_value(out, program, shown, item, depth - 1);
    }
    if items.len() > MOST_ITEMS {
        push(out, format_args!(", … {} in all", items.len()));
    }
}

fn write_rich(out: &mut String, program: &Program, rich: &Rich, depth: u32) {
    match rich {
        Rich::Text(text) if &**text == NULL_KEY => out.push_str("NULL_KEY"),
        Rich::Text(text) => write_quoted(out, text),
        Rich::Float(bits) => write_float(out, f64::from_bits(*bits)),
        Rich::Term { functor, args } => match (&**functor, &**args) {
            ("as-key", [inner]) => write_bare(out, program, inner, depth - 1),
            // What they are not is nothing to tell.
            ("key" | "stranger" | "something", [inner, ..]) => {
                write_bare(out, program, inner, depth - 1);
            }
            ("value", [inner]) => write_value(out, program, (None, None), inner, depth - 1),
            ("placeholder", [ty]) => {
                out.push('<');
                write_value(out, program, (None, None), ty, depth - 1);
                out.push('>');
            }
            ("unknown" | "apply", [what]) => write_bare(out, program, what, depth - 1),
            ("unknown" | "apply", [what, args @ ..]) => {
                write_bare(out, program, what, depth - 1);
                out.push('(');
                write_items(out, program, (None, None), args, depth);
                out.push(')');
            }
            ("concat", parts) => {
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        out.push_str(" + ");
                    }
                    write_value(out, program, (None, None), part, depth - 1);
                }
            }
            ("list", items) => {
                out.push('[');
                write_items(out, program, (None, None), items, depth);
                out.push(']');
            }
            ("vector" | "rotation", items) => {
                out.push('<');
                write_items(out, program, (None, None), items, depth);
                out.push('>');
            }
            (functor, args) => {
                out.push_str(functor);
                out.push('(');
                write_items(out, program, (None, None), args, depth);
                out.push(')');
            }
        },
    }
}

/// A name: a text without its quotes.
fn write_bare(out: &mut String, program: &Program, value: &Value, depth: u32) {
    if let Value::Rich(id) = value
        && let Rich::Text(text) = &*program.rich.get(*id)
        && &**text != NULL_KEY
    {
        out.push_str(&visible(text));
        return;
    }
    write_value(out, program, (None, None), value, depth);
}

fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    for (shown, character) in text.chars().enumerate() {
        if shown == LONGEST_TEXT {
            out.push('…');
            break;
        }
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn write_float(out: &mut String, float: f64) {
    if float.is_finite() && float == float.trunc() && float.abs() < 1e15 {
        push(out, format_args!("{float:.1}"));
    } else {
        push(out, format_args!("{float}"));
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string succeeds");
}

/// Text from a script on one line of a terminal: control characters become visible, and what is
/// longer than a few terminal lines is cut.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == LONGEST_TEXT {
            out.push('…');
            break;
        }
        match character {
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{EnumDecl, RecordDecl};

    fn rich(program: &Program, value: &Value) -> String {
        value_text(program, &Type::Rich, value)
    }

    #[test]
    fn terms_follow_the_convention() {
        let program = Program::new("t", "t");
        let table = &program.rich;
        let bob = table.term("key", [table.text("Bob")]);
        assert_eq!(rich(&program, &bob), "Bob");
        assert_eq!(rich(&program, &table.text(NULL_KEY)), "NULL_KEY");
        assert_eq!(
            rich(&program, &table.text("a\"b\n\u{7}")),
            "\"a\\\"b\\n\\u{7}\""
        );
        assert_eq!(rich(&program, &table.float(2.0)), "2.0");
        assert_eq!(rich(&program, &table.float(0.1)), "0.1");
        let name = table.term("unknown", [table.text("name of"), bob.clone()]);
        assert_eq!(rich(&program, &name), "name of(Bob)");
        let who = table.term("concat", [table.text("hello "), name]);
        assert_eq!(rich(&program, &who), "\"hello \" + name of(Bob)");
        let list = table.term("list", [Value::Int(1), table.term("as-key", [bob])]);
        assert_eq!(rich(&program, &list), "[1, Bob]");
        let apart = table.term("none of", [table.text("open")]);
        let text = table.term("stranger", [table.text("another text"), apart]);
        assert_eq!(rich(&program, &text), "another text");
        let up = table.term(
            "vector",
            [table.float(0.0), table.float(0.0), table.float(1.0)],
        );
        assert_eq!(rich(&program, &up), "<0.0, 0.0, 1.0>");
    }

    #[test]
    fn types_give_names_to_numbers_and_fields() {
        let mut program = Program::new("t", "t");
        let state = program.add_enum(EnumDecl {
            name: "state".into(),
            members: vec!["default".into(), "closed".into()],
        });
        let pair = program.add_record(RecordDecl {
            name: "pair".into(),
            fields: vec![("at".into(), Type::Enum(state)), ("n".into(), Type::INT32)],
        });
        let value = Value::Tuple([Value::Int(1), Value::Int(-7)].into());
        assert_eq!(
            value_text(&program, &Type::Record(pair), &value),
            "{at: closed, n: -7}"
        );
        let array = Type::Array(Box::new(Type::INT32), 40);
        let text = value_text(&program, &array, &program.zero(&array));
        assert!(text.ends_with("0, … 40 in all]"), "{text}");
    }

    #[test]
    fn deep_terms_are_cut() {
        let program = Program::new("t", "t");
        let mut value = Value::Int(1);
        for _ in 0..100_000 {
            value = program.rich.term("list", [value]);
        }
        assert!(rich(&program, &value).contains('…'));
    }
}
