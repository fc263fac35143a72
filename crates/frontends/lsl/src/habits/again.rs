//! Payments that the next tick of a timer makes again.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics, Span};

use super::look::{Look, Unit, is_payment};
use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::lower::{for_each_part, parts_of};

/// Calls after which the timer does not come again, or finds everything as it was at first.
const ENDS: [&str; 3] = ["llSetTimerEvent", "llResetScript", "llDie"];

/// Payments in a timer under conditions that are as true at the next tick: what they ask for is left as
/// it is, and so is the timer.
pub(super) fn paid(look: &Look<'_>, found: &mut Diagnostics) {
    for timer in look.handlers("timer") {
        let ends = look.calls_from(timer).any(|call| ENDS.contains(&call.name))
            || look.reached(timer).iter().any(|&unit| {
                let is_change =
                    |&stmt: &StmtId| matches!(look.checked.ast.stmt(stmt).kind, StmtKind::State(_));
                look.stmts(unit).iter().any(is_change)
            });
        if ends {
            continue;
        }
        let mut walk = Walk {
            look,
            armed: false,
            set_back: set_back(look, timer),
            entered: HashSet::from([timer]),
            payments: Vec::new(),
        };
        walk.statement(look.body(timer));
        for span in walk.payments {
            found.push(
                Diagnostic::warning(
                    code::PAID_AGAIN,
                    "the next tick of the timer pays this again",
                )
                .at(span)
                .help("note that it is paid, or stop the timer, before the handler ends"),
            );
        }
    }
}

/// The variables that a handler gives a constant where no condition stands around.
fn set_back(look: &Look<'_>, unit: Unit) -> HashSet<GlobalId> {
    let ast = &look.checked.ast;
    let StmtKind::Block(body) = &ast.stmt(look.body(unit)).kind else {
        return HashSet::new();
    };
    let set = body.iter().filter_map(|&stmt| {
        let StmtKind::Expr(expr) = ast.stmt(stmt).kind else {
            return None;
        };
        let (place, value) = look.assignment(expr)?;
        let is_empty = matches!(&ast.expr(ast.without_parentheses(value)).kind,
            ExprKind::List(parts) if parts.is_empty());
        let is_constant = is_empty || look.integer(value).is_some() || look.text(value).is_some();
        look.global(place).filter(|_| is_constant)
    });
    set.collect()
}

/// A way through what a timer does.
struct Walk<'a> {
    look: &'a Look<'a>,
    /// Whether a condition around asks for a variable that changes some time, but not under it.
    armed: bool,
    /// Variables that the timer sets back each time, whatever it has done.
    set_back: HashSet<GlobalId>,
    entered: HashSet<Unit>,
    payments: Vec<Span>,
}

impl Walk<'_> {
    fn statement(&mut self, stmt: StmtId) {
        let kind = &self.look.checked.ast.stmt(stmt).kind;
        if let StmtKind::If { arms, otherwise } = kind {
            for &(condition, body) in arms {
                self.expression(condition);
                self.under(condition, body);
            }
            if let Some(stmt) = *otherwise {
                self.statement(stmt);
            }
            return;
        }
        let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        exprs.into_iter().for_each(|expr| self.expression(expr));
        stmts.into_iter().for_each(|stmt| self.statement(stmt));
    }

    /// What is done under a condition, unless it makes the condition another one.
    fn under(&mut self, condition: ExprId, body: StmtId) {
        let asked = self.asked(condition);
        let mut ended = self.stored(body).chain(self.set_back.iter().copied());
        if ended.any(|global| asked.contains(&global)) {
            return;
        }
        let changes = |global: &GlobalId| {
            let mut stores = self.look.units().flat_map(|unit| self.look.stores(unit));
            stores.any(|(stored, ..)| stored == *global)
        };
        let outside = self.armed;
        self.armed |= asked.iter().any(changes);
        self.statement(body);
        self.armed = outside;
    }

    fn asked(&self, condition: ExprId) -> HashSet<GlobalId> {
        let parts = self.look.within(condition).into_iter();
        parts.filter_map(|part| self.look.global(part)).collect()
    }

    /// The variables that a statement, or a function that it calls, assigns to.
    fn stored(&self, body: StmtId) -> impl Iterator<Item = GlobalId> + use<> {
        let (look, ast) = (self.look, &self.look.checked.ast);
        let (_, exprs) = parts_of(ast, body);
        let mut stored = Vec::new();
        for expr in exprs {
            match ast.expr(expr).kind {
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                    stored.extend(look.global(place));
                }
                ExprKind::Call { .. } => stored.extend(
                    self.called(expr)
                        .into_iter()
                        .flat_map(|called| look.reached(called).iter().copied())
                        .flat_map(|unit| look.exprs(unit))
                        .filter_map(|&part| match ast.expr(part).kind {
                            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                                look.global(place)
                            }
                            _ => None,
                        }),
                ),
                _ => {}
            }
        }
        stored.into_iter()
    }

    fn called(&self, expr: ExprId) -> Option<Unit> {
        match self.look.checked.exprs.resolution(expr)? {
            Resolution::Function(function) => {
                Some(self.look.checked.ast.handlers.len() + function.index())
            }
            _ => None,
        }
    }

    fn expression(&mut self, expr: ExprId) {
        for part in self.look.within(expr) {
            if self.armed
                && let Some(call) = self.look.call(part)
                && is_payment(call.name)
                && !self.payments.contains(&call.span)
            {
                self.payments.push(call.span);
            }
            if let Some(unit) = self.called(part)
                && self.entered.insert(unit)
            {
                let function = FunctionId::new(unit - self.look.checked.ast.handlers.len());
                self.statement(self.look.checked.ast.function(function).body);
                self.entered.remove(&unit);
            }
        }
    }
}
