//! Texts that are written in a script, and operations that make any text or number.

use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::types::Type;

/// Constants that are longer than this are not folded.
const LONGEST: usize = 1 << 12;

/// The text of an expression that is made of literals and constants.
pub(super) fn folded(checked: &Checked, id: ExprId) -> Option<String> {
    let mut parts = Vec::new();
    let mut pending = vec![id];
    let mut length = 0;
    while let Some(id) = pending.pop() {
        let part = match &checked.ast.expr(id).kind {
            ExprKind::String(symbol) => checked.ast.text(*symbol).to_owned(),
            ExprKind::Parenthesized(inner) => {
                pending.push(*inner);
                continue;
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } if checked.exprs.ty(id).value() == Some(Type::String) => {
                // The right part is taken out first, and the parts are turned round at the end.
                pending.extend([*left, *right]);
                continue;
            }
            ExprKind::Cast { to, operand } if to.is_text() => {
                match checked
                    .ast
                    .expr(checked.ast.without_parentheses(*operand))
                    .kind
                {
                    ExprKind::Integer(number) => number.to_string(),
                    _ if checked
                        .exprs
                        .ty(*operand)
                        .value()
                        .is_some_and(Type::is_text) =>
                    {
                        pending.push(*operand);
                        continue;
                    }
                    _ => return None,
                }
            }
            ExprKind::Name(_) => match checked.exprs.resolution(id)? {
                Resolution::Constant(constant) => match &constant.value {
                    facts::Value::String(text) => text.clone(),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        length += part.len();
        if length > LONGEST {
            return None;
        }
        parts.push(part);
    }
    parts.reverse();
    Some(parts.concat())
}

/// Whether the expression is a literal, a constant, or a list of them.
pub(super) fn is_written(checked: &Checked, id: ExprId) -> bool {
    match &checked.ast.expr(checked.ast.without_parentheses(id)).kind {
        ExprKind::List(elements) => elements.iter().all(|&e| is_written(checked, e)),
        ExprKind::Integer(_) | ExprKind::Float(_) => true,
        _ => folded(checked, id).is_some(),
    }
}

/// Whether each value of its type is what the operation makes of endlessly many texts: then what
/// it makes of a text of which nothing else is known may be anything.
pub(super) fn reaches_all(operation: &str) -> bool {
    matches!(
        operation,
        "llParseString2List"
            | "llParseStringKeepNulls"
            | "llCSV2List"
            | "llList2String"
            | "llList2Key"
            | "llList2Integer"
            | "llList2Float"
            | "llGetSubString"
            | "llStringTrim"
            | "llStringLength"
            | "llGetListLength"
            | "llSubStringIndex"
    )
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    #[test]
    fn constants_are_put_together() {
        let mut sources = SourceMap::new();
        let text = "string a; default { state_entry() { a = (\"a\" + \"b\") + EOF + (string)5; } }";
        let file = sources.add("t.lsl", text);
        let (checked, _) = crate::analyze(sources.file(file));
        let found: Vec<String> = (0..checked.ast.expr_count())
            .filter_map(|index| folded(&checked, ExprId::new(index)))
            .collect();
        assert!(found.contains(&"ab\n\n\n5".to_owned()), "{found:?}");
    }
}
