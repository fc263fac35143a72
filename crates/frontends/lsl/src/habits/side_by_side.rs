//! Parallel lists, one of which is overwritten with the rest of another.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
use crate::ast::{ExprId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// Places where one list of several that are changed alike is given what is left of another.
pub(super) fn mixed(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for &stmt in look.units().flat_map(|unit| look.stmts(unit)) {
        let StmtKind::Block(body) = &ast.stmt(stmt).kind else {
            continue;
        };
        let changed: Vec<Changed> = body.iter().filter_map(|&it| changed(look, it)).collect();
        let alike = |mixed: &&Changed| {
            let same = changed
                .iter()
                .filter(|it| it.call == mixed.call && it.to == it.from);
            let count = same.clone().count();
            let of_other = same.filter(|it| it.to == mixed.from).count();
            mixed.to != mixed.from && count >= 2 && of_other > 0
        };
        for mixed in changed.iter().filter(alike) {
            let name = |list: Resolution| match list {
                Resolution::Global(global) => ast.name_text(ast.global(global).name).to_owned(),
                _ => "another list".to_owned(),
            };
            let (to, from) = (name(mixed.to), name(mixed.from));
            found.push(
                Diagnostic::warning(
                    code::MIXED_LISTS,
                    format!("`{to}` becomes what is left of `{from}`"),
                )
                .at(ast.expr(mixed.expr).span)
                .help(format!(
                    "`{}({to}, ...)` is what stands beside it",
                    mixed.call
                )),
            );
        }
    }
}

/// An assignment `to = call(from, ...)`.
struct Changed {
    expr: ExprId,
    call: &'static str,
    to: Resolution,
    from: Resolution,
}

fn changed(look: &Look<'_>, stmt: StmtId) -> Option<Changed> {
    let ast = &look.checked.ast;
    let StmtKind::Expr(expr) = ast.stmt(stmt).kind else {
        return None;
    };
    let (place, value) = look.assignment(expr)?;
    let call = look.call(value)?;
    if !matches!(call.name, "llDeleteSubList" | "llListReplaceList") {
        return None;
    }
    let list = |expr: ExprId| match look
        .checked
        .exprs
        .resolution(ast.without_parentheses(expr))?
    {
        Resolution::Global(global) => Some(Resolution::Global(global)),
        _ => None,
    };
    Some(Changed {
        expr,
        call: call.name,
        to: list(place)?,
        from: list(call.arguments[0])?,
    })
}
