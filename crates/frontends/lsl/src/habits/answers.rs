//! Answers that outlive the question: the next person who is asked seems to have answered already.

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::listens::SPEAKER;
use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::lower::parts_of;

/// Places where the next person is asked while the last answer is still stored.
pub(super) fn kept(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for (asked, answer) in answers(look) {
        if !decides(look, asked, answer) {
            continue;
        }
        let forgets = |stmts: &[StmtId]| stmts.iter().any(|&stmt| stores(look, stmt, answer));
        for unit in look
            .units()
            .filter(|&unit| look.event(unit) != Some("listen"))
        {
            for (stored, expr, _, value) in look.stores(unit) {
                if stored != asked || is_constant(look, value) {
                    continue;
                }
                if forgets(&beside(look, unit, expr)) || !is_called_so(look, unit, &forgets) {
                    continue;
                }
                let name = ast.name_text(ast.global(answer).name);
                found.push(
                    Diagnostic::warning(
                        code::KEPT_ANSWER,
                        format!("`{name}` still holds the answer of whoever was asked before"),
                    )
                    .at(ast.expr(expr).span)
                    .help(format!("set `{name}` back where somebody else is asked")),
                );
            }
        }
    }
}

/// Variables in which `listen` keeps what somebody answers, with the variable that says who may.
fn answers(look: &Look<'_>) -> Vec<(GlobalId, GlobalId)> {
    let mut found = Vec::new();
    for unit in look.handlers("listen") {
        for asked in speakers(look, unit) {
            let asks = |condition: ExprId| Apart {
                met: names_both(look, condition, asked),
                unmet: false,
            };
            for (expr, guarded) in told_apart(look, unit, &asks) {
                if let ExprKind::Assign {
                    op: None, place, ..
                } = look.checked.ast.expr(expr).kind
                    && guarded
                    && let Some(answer) = look.global(place)
                    && answer != asked
                    && !found.contains(&(asked, answer))
                {
                    found.push((asked, answer));
                }
            }
        }
    }
    found
}

/// The variables with which a handler compares the speaker.
fn speakers(look: &Look<'_>, unit: Unit) -> Vec<GlobalId> {
    let ast = &look.checked.ast;
    let mut found = Vec::new();
    for &expr in look.exprs(unit) {
        if let ExprKind::Binary {
            op: BinaryOp::Equal,
            left,
            right,
            ..
        } = ast.expr(expr).kind
        {
            let pairs = [(left, right), (right, left)].into_iter();
            let speaker = |&(it, _): &(ExprId, ExprId)| {
                look.is_parameter(ast.without_parentheses(it), SPEAKER)
            };
            found.extend(
                pairs
                    .filter(speaker)
                    .filter_map(|(_, with)| look.global(with)),
            );
        }
    }
    found
}

fn names_both(look: &Look<'_>, condition: ExprId, asked: GlobalId) -> bool {
    look.any(condition, |part| look.is_parameter(part, SPEAKER))
        && look.any(condition, |part| look.global(part) == Some(asked))
}

/// Whether a condition on the answer decides that who was asked is given or paid something.
fn decides(look: &Look<'_>, asked: GlobalId, answer: GlobalId) -> bool {
    let ast = &look.checked.ast;
    let gives = |body: StmtId| {
        let (_, exprs) = parts_of(ast, body);
        exprs.into_iter().any(|expr| {
            let ExprKind::Call { arguments, .. } = &ast.expr(expr).kind else {
                return false;
            };
            let to = arguments.first().and_then(|&first| look.global(first));
            to == Some(asked)
                && match look.checked.exprs.resolution(expr) {
                    Some(Resolution::Library(call)) => is_payment(call.name) || is_gift(call.name),
                    Some(Resolution::Function(function)) => {
                        let called = ast.handlers.len() + function.index();
                        look.calls_from(called)
                            .any(|call| is_payment(call.name) || is_gift(call.name))
                    }
                    _ => false,
                }
        })
    };
    let stmts = look.units().flat_map(|unit| look.stmts(unit));
    stmts.into_iter().any(|&stmt| match &ast.stmt(stmt).kind {
        StmtKind::If { arms, .. } => arms.iter().any(|&(condition, body)| {
            look.any(condition, |part| look.global(part) == Some(answer)) && gives(body)
        }),
        _ => false,
    })
}

fn is_constant(look: &Look<'_>, value: ExprId) -> bool {
    look.text(value).is_some()
}

/// Whether a statement sets a variable, itself or by a function that it calls.
fn stores(look: &Look<'_>, stmt: StmtId, global: GlobalId) -> bool {
    let ast = &look.checked.ast;
    let (_, exprs) = parts_of(ast, stmt);
    exprs.into_iter().any(|expr| match ast.expr(expr).kind {
        ExprKind::Assign { place, .. } => look.global(place) == Some(global),
        _ => match look.checked.exprs.resolution(expr) {
            Some(Resolution::Function(function)) => {
                let called = look.reached(ast.handlers.len() + function.index()).iter();
                called
                    .flat_map(|&unit| look.stores(unit))
                    .any(|(stored, ..)| stored == global)
            }
            _ => false,
        },
    })
}

/// Whether a unit is a handler, or a function that is called somewhere where nothing beside it forgets.
fn is_called_so(look: &Look<'_>, unit: Unit, forgets: &dyn Fn(&[StmtId]) -> bool) -> bool {
    let Some(function) = unit.checked_sub(look.checked.ast.handlers.len()) else {
        return true;
    };
    look.units().any(|caller| {
        look.exprs(caller).iter().any(|&expr| {
            matches!(
                look.checked.exprs.resolution(expr),
                Some(Resolution::Function(called)) if called.index() == function
            ) && !forgets(&beside(look, caller, expr))
        })
    })
}

/// The statements that run whenever an expression of this unit is evaluated, its own one aside.
fn beside(look: &Look<'_>, unit: Unit, expr: ExprId) -> Vec<StmtId> {
    let ast = &look.checked.ast;
    let span = ast.expr(expr).span;
    let holds = |stmt: StmtId| {
        let around = ast.stmt(stmt).span;
        around.start <= span.start && span.end <= around.end
    };
    let mut all = Vec::new();
    for &stmt in look.stmts(unit).iter().filter(|&&stmt| holds(stmt)) {
        if let StmtKind::Block(body) = &ast.stmt(stmt).kind {
            let simple = |&&it: &&StmtId| {
                let kind = &ast.stmt(it).kind;
                !holds(it) && matches!(kind, StmtKind::Expr(_) | StmtKind::Declare { .. })
            };
            all.extend(body.iter().filter(simple));
        }
    }
    all
}
