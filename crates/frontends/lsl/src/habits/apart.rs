//! Whom conditions tell apart: what is done for everybody, and what for some only.

use super::look::{Look, Unit};
use crate::ast::{ExprId, StmtId, StmtKind};
use crate::lower::{for_each_part, parts_of};

/// Whom a condition tells apart: who meets it, who does not, either.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Apart {
    pub(super) met: bool,
    pub(super) unmet: bool,
}

/// The expressions of a unit, each with whether it is evaluated only for those whom a condition before or
/// around it asks for.
pub(super) fn told_apart(
    look: &Look<'_>,
    unit: Unit,
    asks: &dyn Fn(ExprId) -> Apart,
) -> Vec<(ExprId, bool)> {
    let ast = &look.checked.ast;
    let mut all = Vec::new();
    let mut pending = vec![(look.body(unit), false)];
    while let Some((stmt, mut apart)) = pending.pop() {
        match &ast.stmt(stmt).kind {
            StmtKind::Block(body) => {
                for &stmt in body {
                    pending.push((stmt, apart));
                    apart |= turns_away(look, stmt, asks);
                }
            }
            StmtKind::If { arms, otherwise } => {
                for &(condition, body) in arms {
                    all.extend(look.within(condition).into_iter().map(|part| (part, apart)));
                    let asked = asks(condition);
                    pending.push((body, apart || asked.met));
                    apart |= asked.unmet;
                }
                pending.extend(otherwise.map(|body| (body, apart)));
            }
            kind => for_each_part(
                kind,
                |expr| all.extend(look.within(expr).into_iter().map(|part| (part, apart))),
                |stmt| pending.push((stmt, apart)),
            ),
        }
    }
    all
}

/// Whether an `if` ends the handler, or the function, for those who are not told apart.
fn turns_away(look: &Look<'_>, stmt: StmtId, asks: &dyn Fn(ExprId) -> Apart) -> bool {
    let ast = &look.checked.ast;
    let StmtKind::If { arms, .. } = &ast.stmt(stmt).kind else {
        return false;
    };
    arms.iter().any(|&(condition, body)| {
        let (inside, _) = parts_of(ast, body);
        let ends = |&stmt: &StmtId| {
            let kind = &ast.stmt(stmt).kind;
            matches!(kind, StmtKind::Return(_) | StmtKind::State(_))
        };
        asks(condition).unmet && inside.iter().any(ends)
    })
}
