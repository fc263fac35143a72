//! The literals of a script and of its properties: what it can compare the world with.

use std::collections::BTreeSet;

use lsl::ast::{Ast, ExprKind};
use lsl::facts;

use crate::operators::is_uuid;

/// Values that the text of a script names.
#[derive(Clone, Default, Debug)]
pub(crate) struct Literals {
    pub(crate) integers: Vec<i32>,
    pub(crate) floats: Vec<f32>,
    pub(crate) texts: Vec<String>,
    /// Those of the texts that are keys.
    pub(crate) uuids: Vec<String>,
    /// Those of the texts that may stand between parts: short, and without letters.
    pub(crate) separators: Vec<String>,
}

/// Looks through all expressions.
pub(crate) fn literals(ast: &Ast) -> Literals {
    let mut integers = BTreeSet::new();
    let mut floats: Vec<f32> = Vec::new();
    let mut texts = BTreeSet::new();
    for id in ast.expr_ids() {
        match &ast.expr(id).kind {
            ExprKind::Integer(n) => {
                integers.insert(*n);
            }
            ExprKind::Float(number) => floats.push(*number),
            ExprKind::String(symbol) => {
                texts.insert(ast.text(*symbol).to_owned());
            }
            ExprKind::Name(name) => {
                let constant = facts::constant(ast.name_text(*name));
                match constant.map(|constant| &constant.value) {
                    Some(facts::Value::Integer(n)) => {
                        integers.insert(*n);
                    }
                    Some(facts::Value::Float(number)) => floats.push(*number),
                    Some(facts::Value::String(text)) => {
                        texts.insert(text.clone());
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    // Numbers in texts are numbers when they are cast, and the other way round.
    for text in &texts {
        if let Ok(number) = text.trim().parse() {
            integers.insert(number);
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "near is good enough")]
    floats.extend(integers.iter().map(|&n| n as f32));
    let is_separator = |text: &&String| {
        (1..=2).contains(&text.len()) && !text.contains(|c: char| c.is_alphanumeric())
    };
    Literals {
        uuids: texts.iter().filter(|text| is_uuid(text)).cloned().collect(),
        separators: texts.iter().filter(is_separator).cloned().collect(),
        integers: integers.into_iter().collect(),
        floats,
        texts: texts.into_iter().collect(),
    }
}
