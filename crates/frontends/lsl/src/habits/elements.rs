//! Elements that stand for two things, and things counted as another kind.

use std::collections::BTreeMap;

use source::{Diagnostic, Diagnostics, Span};

use super::look::{Look, Unit};
use crate::ast::{ExprId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// Elements of a list that are kept in two variables, once as a text and once as something else, while
/// an element before them is not read at all.
pub(super) fn read_twice(look: &Look<'_>, found: &mut Diagnostics) {
    for unit in look.units() {
        let mut lists: Vec<(Resolution, Reads)> = Vec::new();
        for (place, value) in kept(look, unit) {
            let Some((list, position, reader, span)) = element(look, value) else {
                continue;
            };
            let at = lists.iter().position(|&(known, _)| known == list);
            let at = at.unwrap_or_else(|| {
                lists.push((list, Reads::new()));
                lists.len() - 1
            });
            lists[at].1.entry(position).or_default().push(Read {
                place,
                reader,
                span,
            });
        }
        for (_, reads) in &lists {
            let last = reads.keys().copied().max().unwrap_or(0);
            if (0..last).all(|position| reads.contains_key(&position)) {
                continue;
            }
            for of_one in reads.values() {
                let Some((first, other)) = two_things(of_one) else {
                    continue;
                };
                found.push(
                    Diagnostic::warning(
                        code::READ_TWICE,
                        "one element is kept as two things, and another is never read",
                    )
                    .at(first)
                    .label(other, "the same element")
                    .help("look which position each of them has"),
                );
            }
        }
    }
}

/// What is read at each position.
type Reads = BTreeMap<i32, Vec<Read>>;

struct Read {
    place: Resolution,
    reader: &'static str,
    span: Span,
}

/// Two reads into different variables, by different functions.
fn two_things(reads: &[Read]) -> Option<(Span, Span)> {
    reads.iter().enumerate().find_map(|(at, first)| {
        let differs = |other: &&Read| other.place != first.place && other.reader != first.reader;
        let other = reads[at + 1..].iter().find(differs)?;
        Some((first.span, other.span))
    })
}

/// What a unit keeps in variables: each with its value.
fn kept(look: &Look<'_>, unit: Unit) -> Vec<(Resolution, ExprId)> {
    let (checked, ast) = (look.checked, &look.checked.ast);
    let declared = look.stmts(unit).iter().filter_map(|&stmt| {
        let StmtKind::Declare { value, .. } = ast.stmt(stmt).kind else {
            return None;
        };
        Some((Resolution::Local(checked.declared(stmt)?), value?))
    });
    let assigned = look.exprs(unit).iter().filter_map(|&expr| {
        let (place, value) = look.assignment(expr)?;
        Some((checked.exprs.resolution(place)?, value))
    });
    declared.chain(assigned).collect()
}

/// The list, the written position and the function, if a value is an element of a list.
fn element(look: &Look<'_>, value: ExprId) -> Option<(Resolution, i32, &'static str, Span)> {
    let ast = &look.checked.ast;
    let call = look.call(value)?;
    if !matches!(
        call.name,
        "llList2String" | "llList2Key" | "llList2Integer" | "llList2Float"
    ) {
        return None;
    }
    let list = look
        .checked
        .exprs
        .resolution(ast.without_parentheses(call.arguments[0]))?;
    let position = look.integer(call.arguments[1]).filter(|&it| it >= 0)?;
    let is_variable = matches!(list, Resolution::Local(_) | Resolution::Global(_));
    is_variable.then_some((list, position, call.name, call.span))
}

/// Inventory names taken one by one, where the loop or the unit counts items of another kind.
pub(super) fn counted_as_others(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for unit in look.units() {
        let body = ast.stmt(look.body(unit)).span;
        let mut places = vec![(body, body)];
        places.extend(look.stmts(unit).iter().filter_map(|&stmt| {
            let (StmtKind::For {
                condition, body, ..
            }
            | StmtKind::While { condition, body }) = ast.stmt(stmt).kind
            else {
                return None;
            };
            Some((ast.expr(condition).span, ast.stmt(body).span))
        }));
        let told = places
            .into_iter()
            .find_map(|(counting, naming)| not_counted(look, counting, naming));
        if let Some((span, count)) = told {
            found.push(
                Diagnostic::warning(
                    code::COUNTED_AS_OTHERS,
                    "these are named one by one, but others are counted",
                )
                .at(span)
                .label(count, "another kind of inventory")
                .help("behind the last of its kind the name is empty"),
            );
        }
    }
}

/// A call in `naming` that names a kind of item which `counting` does not count, and a call there that counts
/// another kind.
fn not_counted(look: &Look<'_>, counting: Span, naming: Span) -> Option<(Span, Span)> {
    let calls = |name: &'static str, place: Span| {
        let within = move |span: Span| place.start <= span.start && span.end <= place.end;
        let calls = look.calls.iter();
        calls.filter(move |call| call.name == name && within(call.span))
    };
    let counted: Vec<(i32, Span)> = calls("llGetInventoryNumber", counting)
        .filter_map(|call| Some((look.integer(call.arguments[0])?, call.span)))
        .collect();
    let &(_, count) = counted.first()?;
    let named = calls("llGetInventoryName", naming).find(|call| {
        let kind = look.integer(call.arguments[0]);
        let varies = look.integer(call.arguments[1]).is_none();
        let is_other = |kind| kind != ALL && counted.iter().all(|&(it, _)| it != kind && it != ALL);
        varies && kind.is_some_and(is_other)
    })?;
    Some((named.span, count))
}

/// `INVENTORY_ALL`.
const ALL: i32 = -1;
