//! Branches that are never taken, because what they ask for is only made so behind them.
//!
//! Constants are propagated through the global variables under the conditions that they decide, as in
//! Wegman and Zadeck, "Constant propagation with conditional branches" (TOPLAS 1991), without regard to
//! the order of events: a variable has all values that are assigned where the script can come to.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics, Span};

use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StmtId, StmtKind, UnaryOp};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::lower::for_each_part;
use crate::types::Type;

/// A value that is known.
#[derive(Clone, PartialEq, Debug)]
enum Known {
    Integer(i32),
    /// A text or a key.
    Text(String),
    /// The empty list.
    Empty,
}

/// Branches that no run takes, though the script somewhere sets what they ask for.
pub(super) fn taken(look: &Look<'_>, found: &mut Diagnostics) {
    let mut walk = Walk::new(look);
    while walk.grows() {}
    let dead = std::mem::take(&mut walk.dead);
    let ast = &look.checked.ast;
    let told = dead.into_iter().find_map(|(condition, branch)| {
        let (global, store) = walk.set_elsewhere(condition)?;
        Some((condition, branch, global, store))
    });
    if let Some((condition, branch, global, store)) = told {
        let name = ast.name_text(ast.global(global).name);
        found.push(
            Diagnostic::warning(code::NEVER_TAKEN, "this is never done")
                .at(branch)
                .label(
                    ast.expr(condition).span,
                    format!("`{name}` is always the same here"),
                )
                .label(store, "it is only changed here, behind such a condition")
                .help(format!("set `{name}` where the script can come to")),
        );
    }
}

struct Walk<'a> {
    look: &'a Look<'a>,
    /// For each global variable its value, if it is always the same.
    values: Vec<Option<Known>>,
    live: HashSet<Unit>,
    /// Variables that are assigned where the script can come to; others are settings.
    assigned: HashSet<GlobalId>,
    changed: bool,
    /// Conditions that are decided, with the branch that is not taken.
    dead: Vec<(ExprId, Span)>,
}

impl<'a> Walk<'a> {
    fn new(look: &'a Look<'a>) -> Walk<'a> {
        let ast = &look.checked.ast;
        let mut walk = Walk {
            look,
            values: vec![None; ast.globals.len()],
            live: (0..ast.handlers.len()).collect(),
            assigned: HashSet::new(),
            changed: false,
            dead: Vec::new(),
        };
        walk.values = ast
            .global_ids()
            .map(|id| {
                let global = ast.global(id);
                match (global.value, global.ty) {
                    (Some(value), _) => walk.value(value),
                    (None, Type::Integer) => Some(Known::Integer(0)),
                    (None, Type::String) => Some(Known::Text(String::new())),
                    (None, Type::List) => Some(Known::Empty),
                    _ => None,
                }
            })
            .collect();
        walk
    }

    /// Goes through all that is done so far; whether that showed anything new.
    fn grows(&mut self) -> bool {
        self.changed = false;
        self.dead.clear();
        let mut units: Vec<Unit> = self.live.iter().copied().collect();
        units.sort_unstable();
        for unit in units {
            self.statement(self.look.body(unit));
        }
        self.changed
    }

    fn statement(&mut self, stmt: StmtId) {
        let ast = &self.look.checked.ast;
        match &ast.stmt(stmt).kind {
            StmtKind::If { arms, otherwise } => {
                for (at, &(condition, body)) in arms.iter().enumerate() {
                    self.expression(condition);
                    match self.truth(condition) {
                        Some(false) => self.dead.push((condition, ast.stmt(body).span)),
                        Some(true) => {
                            self.statement(body);
                            let next = arms.get(at + 1).map(|&(_, body)| body);
                            let other = next.or(*otherwise);
                            self.dead
                                .extend(other.map(|it| (condition, ast.stmt(it).span)));
                            return;
                        }
                        None => self.statement(body),
                    }
                }
                otherwise.iter().for_each(|&body| self.statement(body));
            }
            StmtKind::While { condition, body } if self.truth(*condition) == Some(false) => {
                self.expression(*condition);
                self.dead.push((*condition, ast.stmt(*body).span));
            }
            kind => {
                let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
                for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
                exprs.into_iter().for_each(|expr| self.expression(expr));
                stmts.into_iter().for_each(|stmt| self.statement(stmt));
            }
        }
    }

    fn expression(&mut self, expr: ExprId) {
        let ast = &self.look.checked.ast;
        for part in self.look.within(expr) {
            match ast.expr(part).kind {
                ExprKind::Assign { op, place, value } => {
                    let value = self.value(value).filter(|_| op.is_none());
                    self.store(place, value.as_ref());
                }
                ExprKind::Step { place, .. } => self.store(place, None),
                _ => {
                    if let Some(Resolution::Function(function)) =
                        self.look.checked.exprs.resolution(part)
                    {
                        let called = ast.handlers.len() + function.index();
                        self.changed |= self.live.insert(called);
                    }
                }
            }
        }
    }

    fn store(&mut self, place: ExprId, value: Option<&Known>) {
        if let Some(global) = self.stored(place) {
            self.assigned.insert(global);
            let kept = &mut self.values[global.index()];
            if kept.is_some() && kept.as_ref() != value {
                *kept = None;
                self.changed = true;
            }
        }
    }

    /// The global variable that an assignment changes, as a whole or in part.
    fn stored(&self, place: ExprId) -> Option<GlobalId> {
        match self.look.checked.exprs.resolution(place)? {
            Resolution::Global(global) => Some(global),
            _ => None,
        }
    }

    fn truth(&self, condition: ExprId) -> Option<bool> {
        match self.value(condition)? {
            Known::Integer(value) => Some(value != 0),
            Known::Text(_) | Known::Empty => None,
        }
    }

    fn value(&self, expr: ExprId) -> Option<Known> {
        let ast = &self.look.checked.ast;
        let expr = ast.without_parentheses(expr);
        if let Some(value) = self.look.integer(expr) {
            return Some(Known::Integer(value));
        }
        if let Some(text) = self.look.text(expr) {
            return Some(Known::Text(text.to_owned()));
        }
        match &ast.expr(expr).kind {
            ExprKind::List(parts) if parts.is_empty() => Some(Known::Empty),
            ExprKind::Name(_) => match self.look.checked.exprs.resolution(expr)? {
                Resolution::Global(global) => self.values.get(global.index())?.clone(),
                _ => None,
            },
            ExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self
                .truth(*operand)
                .map(|it| Known::Integer(i32::from(!it))),
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(*op, *left, *right),
            ExprKind::Call { arguments, .. } => {
                let call = self.look.call(expr)?;
                let empty = self.value(*arguments.first()?) == Some(Known::Empty);
                (empty && call.name == "llGetListLength").then_some(Known::Integer(0))
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Known> {
        use BinaryOp::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        let (left, right) = (self.value(left), self.value(right));
        let zero = Some(Known::Integer(0));
        let is_true = |value: &Option<Known>| matches!(value, Some(Known::Integer(it)) if *it != 0);
        let holds = match op {
            And if left == zero || right == zero => false,
            Or if is_true(&left) || is_true(&right) => true,
            _ => match (op, left?, right?) {
                (And, Known::Integer(a), Known::Integer(b)) => a != 0 && b != 0,
                (Or, Known::Integer(a), Known::Integer(b)) => a != 0 || b != 0,
                (Equal, Known::Integer(a), Known::Integer(b)) => a == b,
                (NotEqual, Known::Integer(a), Known::Integer(b)) => a != b,
                (Less, Known::Integer(a), Known::Integer(b)) => a < b,
                (LessEqual, Known::Integer(a), Known::Integer(b)) => a <= b,
                (Greater, Known::Integer(a), Known::Integer(b)) => a > b,
                (GreaterEqual, Known::Integer(a), Known::Integer(b)) => a >= b,
                // Whether an empty key equals `NULL_KEY` is up to the compiler.
                (Equal | NotEqual, Known::Text(a), Known::Text(b)) if is_no_key(&a, &b) => {
                    return None;
                }
                (Equal, Known::Text(a), Known::Text(b)) => a == b,
                (NotEqual, Known::Text(a), Known::Text(b)) => a != b,
                (Equal, Known::Empty, Known::Empty) => true,
                _ => return None,
            },
        };
        Some(Known::Integer(i32::from(holds)))
    }

    /// A variable that a condition asks for, and where it is given another value in vain. Conditions on
    /// settings may be decided by whoever set them.
    fn set_elsewhere(&self, condition: ExprId) -> Option<(GlobalId, Span)> {
        let ast = &self.look.checked.ast;
        let parts = self.look.within(condition).into_iter();
        let asked: Vec<GlobalId> = parts.filter_map(|part| self.look.global(part)).collect();
        if asked.iter().any(|global| !self.assigned.contains(global)) {
            return None;
        }
        asked.into_iter().find_map(|global| {
            let known = self.values[global.index()].as_ref()?;
            let mut exprs = self.look.units().flat_map(|unit| self.look.exprs(unit));
            let store = exprs.find(|&&expr| match ast.expr(expr).kind {
                ExprKind::Assign { op, place, value } => {
                    self.stored(place) == Some(global)
                        && (op.is_some() || self.value(value).as_ref() != Some(known))
                }
                ExprKind::Step { place, .. } => self.stored(place) == Some(global),
                _ => false,
            })?;
            Some((global, ast.expr(*store).span))
        })
    }
}

/// Whether one text is empty and the other `NULL_KEY`.
fn is_no_key(a: &str, b: &str) -> bool {
    let is_null = |text: &str| text.starts_with("00000000-");
    (a.is_empty() && is_null(b)) || (b.is_empty() && is_null(a))
}
