//! Runs `cases.md`: each line `expression -> value` in a code block is evaluated and printed.
//!
//! Expressions are those of LSL without names, except a few that stand for parts of the world:
//! `Alice` and `Bob` are identities (keys), `NAME` is a string that the world decides, and `HEIGHT`,
//! `PLACE`, `TURN` and `THINGS` are such a float, vector, rotation and list.

use model::{RichTable, Value};

use super::*;
use crate::Type;

#[test]
fn cases() {
    let document = include_str!("cases.md");
    let mut in_block = false;
    let mut functions = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (line, text) in (1..).zip(document.lines()) {
        if text.starts_with("```") {
            in_block = !in_block;
        } else if in_block && !text.trim().is_empty() {
            let (expression, expected) = text.rsplit_once(" -> ").expect("a case has an arrow");
            let found = evaluate(expression.trim(), &mut functions);
            if found != expected.trim() {
                wrong.push(format!(
                    "line {line}: {expression}\n  expected {expected}\n  found    {found}"
                ));
            }
            count += 1;
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let untested: Vec<&str> = names().filter(|name| !functions.contains(*name)).collect();
    assert!(
        untested.is_empty(),
        "functions without a case: {untested:?}"
    );
}

/// Each function passes every unknown on without a panic, and says so.
#[test]
fn unknown_arguments_give_unknown_results() {
    let table = RichTable::default();
    let name = unknown(&table, "llGetObjectName", &[]);
    for (function, ty) in [
        ("llToUpper", Type::String),
        ("llGetSubString", Type::String),
        ("llParseString2List", Type::List),
    ] {
        let entry = pure(function).expect("a pure function");
        let args = [name.clone(), Value::Int(0), Value::Int(1)];
        assert_eq!(entry.result, ty);
        assert_eq!((entry.determined)(&table, &args), Ok(Value::Bool(false)));
        assert_eq!(
            (entry.eval)(&table, &args),
            Ok(unknown(&table, function, &args))
        );
    }
}

#[test]
fn a_value_larger_than_the_scripts_memory_is_a_collision() {
    let table = RichTable::default();
    let plus = binary("+", Type::String, Type::String).expect("concatenation");
    let half = table.text(&"x".repeat(40_000));
    assert_eq!(
        (plus.eval)(&table, &[half.clone(), table.text("")]),
        Ok(half.clone())
    );
    assert_eq!((plus.eval)(&table, &[half.clone(), half]), Err(STACK_HEAP));
}

/// Every entry of the table has the result type that the table of facts declares.
#[test]
fn result_types_agree_with_the_facts() {
    let facts = include_str!("../facts/functions.tsv");
    for entry in names().map(|name| pure(name).expect("its own name")) {
        let declared = facts
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .find(|(name, _)| *name == entry.name)
            .and_then(|(_, rest)| rest.split('\t').next())
            .unwrap_or_else(|| panic!("{} is not a function of LSL", entry.name));
        assert_eq!(entry.result.keyword(), declared, "{}", entry.name);
    }
}

fn evaluate(text: &str, functions: &mut std::collections::BTreeSet<String>) -> String {
    let table = RichTable::default();
    let mut parser = Parser {
        rest: text,
        table: &table,
        functions,
    };
    match parser.expression(0) {
        Ok((_, value)) => {
            assert!(
                parser.rest.trim().is_empty(),
                "left over in {text}: {}",
                parser.rest
            );
            display(&table, &value)
        }
        Err(Outcome::Undetermined) => "not determined".to_owned(),
        Err(Outcome::Fault(MATH_ERROR)) => "Math Error".to_owned(),
        Err(Outcome::Fault(fault)) => format!("{fault:?}"),
    }
}

enum Outcome {
    Undetermined,
    Fault(model::FaultId),
}

type Typed = (Type, Value);

struct Parser<'a> {
    rest: &'a str,
    table: &'a RichTable,
    functions: &'a mut std::collections::BTreeSet<String>,
}

/// Operators with their binding strength; two-character ones first.
const OPERATORS: [(&str, u8); 11] = [
    ("==", 1),
    ("!=", 1),
    ("<=", 2),
    (">=", 2),
    ("<", 2),
    (">", 2),
    ("+", 3),
    ("-", 3),
    ("*", 4),
    ("/", 4),
    ("%", 4),
];

impl<'a> Parser<'a> {
    fn accept(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) {
        assert!(self.accept(token), "{token} expected before {}", self.rest);
    }

    fn expression(&mut self, floor: u8) -> Result<Typed, Outcome> {
        let mut left = self.operand()?;
        loop {
            self.rest = self.rest.trim_start();
            let Some((symbol, strength)) = OPERATORS
                .into_iter()
                .find(|(symbol, strength)| self.rest.starts_with(symbol) && *strength > floor)
            else {
                return Ok(left);
            };
            self.expect(symbol);
            let right = self.expression(strength)?;
            let entry = binary(symbol, left.0, right.0)
                .unwrap_or_else(|| panic!("{} {symbol} {}", left.0, right.0));
            left = self.apply(entry, &[left.1, right.1])?;
        }
    }

    fn apply(&self, entry: &PureEntry, args: &[Value]) -> Result<Typed, Outcome> {
        let value = (entry.eval)(self.table, args).map_err(Outcome::Fault)?;
        let determined = (entry.determined)(self.table, args) == Ok(Value::Bool(true));
        if entry.result == Type::Integer && !determined {
            return Err(Outcome::Undetermined);
        }
        Ok((entry.result, value))
    }

    fn operand(&mut self) -> Result<Typed, Outcome> {
        let mut value = self.atom()?;
        while self.rest.starts_with('.') {
            let name = &self.rest[1..2];
            let entry = member(value.0, name).expect("a component");
            self.rest = &self.rest[2..];
            value = self.apply(entry, &[value.1])?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Typed, Outcome> {
        if self.accept("(") {
            let word = self.word();
            if let Some(to) = Type::from_keyword(word) {
                self.rest = &self.rest[word.len()..];
                self.expect(")");
                let (from, value) = self.operand()?;
                let entry = cast(from, to).unwrap_or_else(|| panic!("({to}) of {from}"));
                return self.apply(entry, &[value]);
            }
            let value = self.expression(0)?;
            self.expect(")");
            return Ok(value);
        }
        if self.accept("-") {
            let (ty, value) = self.operand()?;
            return match unary("-", ty) {
                Some(entry) => self.apply(entry, &[value]),
                None => Ok((ty, Value::Int(i128::from((-value.number()) as i32)))),
            };
        }
        if self.accept("\"") {
            return Ok((Type::String, self.string()));
        }
        if self.accept("[") {
            let items = self.arguments("]")?;
            let items: Vec<Value> = items
                .into_iter()
                .map(|(ty, value)| (as_element(ty).eval)(self.table, &[value]).expect("no fault"))
                .collect();
            return self.apply(list_literal(), &items);
        }
        if self.accept("<") {
            // `>` would be read as an operator: components bind more tightly than comparison.
            let mut parts = vec![self.expression(2)?.1];
            while self.accept(",") {
                parts.push(self.expression(2)?.1);
            }
            self.expect(">");
            let literal = if parts.len() == 3 {
                vector_literal()
            } else {
                rotation_literal()
            };
            return self.apply(literal, &parts);
        }
        let word = self.word();
        self.rest = &self.rest[word.len()..];
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(self.number(word));
        }
        if let Some(entry) = pure(word) {
            self.functions.insert(word.to_owned());
            self.expect("(");
            let args: Vec<Value> = self
                .arguments(")")?
                .into_iter()
                .map(|(_, value)| value)
                .collect();
            return self.apply(entry, &args);
        }
        if word == "TRUTH" {
            self.expect("(");
            let (ty, value) = self.expression(0)?;
            self.expect(")");
            return self.apply(truth(ty), &[value]);
        }
        Ok(self.constant(word))
    }

    fn constant(&self, word: &str) -> Typed {
        let table = self.table;
        match word {
            "Alice" | "Bob" => (Type::Key, key(table, word)),
            "NAME" => (
                Type::String,
                unknown(table, "llKey2Name", &[key(table, "Bob")]),
            ),
            "HEIGHT" => (Type::Float, unknown(table, "llGetTime", &[])),
            "PLACE" => (Type::Vector, unknown(table, "llGetPos", &[])),
            "TURN" => (Type::Rotation, unknown(table, "llGetRot", &[])),
            "THINGS" => (
                Type::List,
                unknown(table, "llGetObjectDetails", &[key(table, "Bob")]),
            ),
            "NULL_KEY" => (
                Type::String,
                table.text("00000000-0000-0000-0000-000000000000"),
            ),
            "PI" => (Type::Float, float(table, f64::from(std::f32::consts::PI))),
            "JSON_ARRAY" => (Type::String, table.text("\u{FDD2}")),
            "JSON_DELETE" => (Type::String, table.text("\u{FDD8}")),
            "JSON_INVALID" => (Type::String, table.text("\u{FDD0}")),
            "JSON_NULL" => (Type::String, table.text("\u{FDD5}")),
            "JSON_NUMBER" => (Type::String, table.text("\u{FDD3}")),
            "JSON_OBJECT" => (Type::String, table.text("\u{FDD1}")),
            "JSON_STRING" => (Type::String, table.text("\u{FDD4}")),
            "JSON_TRUE" => (Type::String, table.text("\u{FDD6}")),
            other => panic!("{other:?} is not known here, before {}", self.rest),
        }
    }

    fn arguments(&mut self, close: &str) -> Result<Vec<Typed>, Outcome> {
        let mut found = Vec::new();
        while !self.accept(close) {
            found.push(self.expression(0)?);
            if !self.accept(",") {
                self.expect(close);
                break;
            }
        }
        Ok(found)
    }

    fn string(&mut self) -> Value {
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return self.table.text(&text);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                other => text.push(other),
            }
        }
        panic!("a string has no end: {}", self.rest);
    }

    fn word(&self) -> &'a str {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn number(&mut self, whole: &str) -> Typed {
        if let Some(digits) = whole.strip_prefix("0x") {
            let number = u32::from_str_radix(digits, 16).expect("hexadecimal");
            return (Type::Integer, Value::Int(i128::from(number.cast_signed())));
        }
        let fraction = self.rest.strip_prefix('.').map(|after| {
            let end = after
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(after.len());
            &after[..end]
        });
        match fraction {
            Some(fraction) => {
                self.rest = &self.rest[fraction.len() + 1..];
                let number: f32 = format!("{whole}.{fraction}").parse().expect("a float");
                (Type::Float, float(self.table, f64::from(number)))
            }
            None => {
                let number: u32 = whole.parse().expect("an integer");
                (Type::Integer, Value::Int(i128::from(number.cast_signed())))
            }
        }
    }
}
