//! Lists and strings that only grow.

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, Span};

use super::look::Look;
use crate::ast::GlobalId;
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::types::Type;

/// Events that come once or seldom.
const SELDOM: [&str; 3] = ["state_entry", "on_rez", "attach"];

/// Global lists and strings to which a handler adds, and that nothing makes shorter.
pub(super) fn lists(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let mut grows: HashMap<GlobalId, (String, Span)> = HashMap::new();
    let mut shrinks: HashSet<GlobalId> = HashSet::new();
    for unit in look.units() {
        for (global, assignment, with_operator, value) in look.stores(unit) {
            let adds = with_operator || is_sum_with(look, value, global);
            if !adds {
                shrinks.insert(global);
            } else if is_again(look, unit) {
                let name = ast.name_text(ast.global(global).name).to_owned();
                grows
                    .entry(global)
                    .or_insert((name, ast.expr(assignment).span));
            }
        }
    }
    // A reset empties everything.
    if look.calls("llResetScript") {
        return;
    }
    let mut found_here: Vec<(String, Span)> = grows
        .into_iter()
        .filter(|(global, _)| {
            matches!(ast.global(*global).ty, Type::List | Type::String) && !shrinks.contains(global)
        })
        .map(|(_, place)| place)
        .collect();
    found_here.sort_by_key(|(_, span)| span.start);
    for (name, span) in found_here {
        found.push(Diagnostic::warning(code::GROWTH, format!("`{name}` only grows")).at(span));
    }
}

/// Whether a value is `variable + ...` or `... + variable`: no call takes from it.
fn is_sum_with(look: &Look<'_>, value: crate::ast::ExprId, global: GlobalId) -> bool {
    let calls = look.any(value, |part| {
        matches!(
            look.checked.exprs.resolution(part),
            Some(Resolution::Library(_) | Resolution::Function(_))
        ) && look.any(part, |inner| look.global(inner) == Some(global))
            && look.global(part).is_none()
    });
    !calls && look.any(value, |part| look.global(part) == Some(global))
}

/// Whether a unit runs again and again.
fn is_again(look: &Look<'_>, unit: usize) -> bool {
    look.units().any(|handler| {
        look.event(handler)
            .is_some_and(|event| !SELDOM.contains(&event))
            && look.reached(handler).contains(&unit)
    })
}
