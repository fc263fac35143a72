//! What can go wrong in a script by itself: which run-time errors its text makes possible.
//!
//! Only code in reach of a handler counts. What is not found here cannot happen in the lowered
//! program: a division is harmless only if it is one of integers by a number other than zero that
//! stands there, and only calls that come back to where they began can nest without end.

use std::collections::{BTreeMap, BTreeSet};

use super::MOST_CALLS;
use super::parts::{for_each_operand, for_each_part};
use super::survey::Survey;
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, FunctionId, StmtId, StmtKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::types::Type;

/// The run-time errors that a script's text makes possible.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Hazards {
    /// It divides by something that may be zero, or floats, whose quotient may be no number.
    pub(crate) divides: bool,
    /// Its functions may call each other more often than there is room for.
    pub(crate) recurs: bool,
    /// It may delete its own object.
    pub(crate) dies: bool,
    /// It handles payments.
    pub(crate) takes_money: bool,
    /// What it keeps in texts and lists may become larger with time.
    pub(crate) grows: bool,
}

impl Hazards {
    pub(crate) fn of(checked: &Checked) -> Hazards {
        let survey = Survey::of(checked);
        let ast = &checked.ast;
        let mut found = Hazards {
            takes_money: ast
                .handler_ids()
                .any(|id| checked.event(id).is_some_and(|event| event.name == "money")),
            dies: survey.calls.contains_key("llDie"),
            ..Hazards::default()
        };
        let mut calls = BTreeMap::new();
        for id in ast.handler_ids() {
            found.look_at(checked, ast.handler(id).body, &mut BTreeSet::new());
        }
        for &id in &survey.functions {
            let called: &mut BTreeSet<FunctionId> = calls.entry(id).or_default();
            found.look_at(checked, ast.function(id).body, called);
        }
        found.recurs = nests(&calls);
        found
    }

    /// Whether a run-time error may stop the script.
    pub(crate) fn may_fail(self) -> bool {
        self.divides || self.recurs
    }

    /// Whether the script may stop while it holds money.
    pub(crate) fn may_stop_with_money(self) -> bool {
        self.takes_money && (self.may_fail() || self.dies)
    }

    fn look_at(&mut self, checked: &Checked, body: StmtId, called: &mut BTreeSet<FunctionId>) {
        let ast = &checked.ast;
        let mut exprs = Vec::new();
        let mut stmts = vec![body];
        let (mut loops, mut builds) = (false, false);
        while let Some(stmt) = stmts.pop() {
            let kind = &ast.stmt(stmt).kind;
            loops |= matches!(
                kind,
                StmtKind::While { .. }
                    | StmtKind::DoWhile { .. }
                    | StmtKind::For { .. }
                    | StmtKind::Jump(_)
            );
            for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        }
        while let Some(expr) = exprs.pop() {
            for_each_operand(ast, expr, |operand| exprs.push(operand));
            self.divides |= divides(checked, expr);
            if let Some(Resolution::Function(id)) = checked.exprs.resolution(expr) {
                called.insert(id);
            }
            if let ExprKind::Assign { op, place, value } = ast.expr(expr).kind {
                let global = matches!(checked.exprs.resolution(place), Some(Resolution::Global(_)));
                let is_built = op.is_some() || is_built(ast, value);
                builds |= holds_much(checked, place) && is_built;
                self.grows |= global && holds_much(checked, place) && is_built;
            }
        }
        self.grows |= loops && builds;
    }
}

/// Whether evaluating the expression's own operation may be a Math Error.
pub(crate) fn divides(checked: &Checked, expr: ExprId) -> bool {
    let (op, left, right) = match checked.ast.expr(expr).kind {
        ExprKind::Binary {
            op, left, right, ..
        } => (Some(op), left, right),
        ExprKind::Assign { op, place, value } => (op, place, value),
        _ => return false,
    };
    let is = |expr: ExprId, ty: Type| checked.exprs.ty(expr).value() == Some(ty);
    match op {
        Some(BinaryOp::Divide | BinaryOp::Remainder) => {
            let integers = is(left, Type::Integer) && is(right, Type::Integer);
            !integers || !is_number(&checked.ast, right)
        }
        _ => false,
    }
}

/// Whether it is an integer other than zero that stands there.
fn is_number(ast: &Ast, expr: ExprId) -> bool {
    match ast.expr(ast.without_parentheses(expr)).kind {
        ExprKind::Integer(value) => value != 0,
        ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } => is_number(ast, operand),
        _ => false,
    }
}

/// Whether values of the expression's type can take any amount of memory.
fn holds_much(checked: &Checked, expr: ExprId) -> bool {
    matches!(
        checked.exprs.ty(expr).value(),
        Some(Type::String | Type::Key | Type::List)
    )
}

/// Whether the value is put together from others, or comes from a function of the script or library,
/// which may put it together.
fn is_built(ast: &Ast, expr: ExprId) -> bool {
    match &ast.expr(expr).kind {
        ExprKind::Binary { .. } | ExprKind::Call { .. } => true,
        ExprKind::List(parts) => !parts.is_empty(),
        ExprKind::Parenthesized(inner)
        | ExprKind::Cast { operand: inner, .. }
        | ExprKind::Assign { value: inner, .. } => is_built(ast, *inner),
        _ => false,
    }
}

/// Whether more calls can be open at a time than there is room for.
fn nests(calls: &BTreeMap<FunctionId, BTreeSet<FunctionId>>) -> bool {
    // Functions that call nobody are taken away, layer by layer: what is left goes round.
    let mut left = calls.clone();
    for _ in 0..MOST_CALLS {
        let done: Vec<FunctionId> = left
            .iter()
            .filter(|(_, called)| !called.iter().any(|id| left.contains_key(id)))
            .map(|(&id, _)| id)
            .collect();
        if done.is_empty() {
            break;
        }
        for id in done {
            left.remove(&id);
        }
    }
    !left.is_empty()
}

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    fn hazards(text: &str) -> Hazards {
        let mut sources = SourceMap::new();
        let file = sources.add("t.lsl", text);
        let (ast, _) = crate::parser::parse(sources.file(file));
        let (checked, found) = crate::check::check(ast);
        assert!(!found.has_errors(), "{text}");
        Hazards::of(&checked)
    }

    #[test]
    fn only_what_can_go_wrong_in_reach_is_a_hazard() {
        let touched = |body: &str| {
            hazards(&format!(
                "list l; string s; default {{ touch_start(integer n) {{ {body} }} }}"
            ))
        };
        for harmless in ["n = n / 2;", "n = n % -7;", "n /= 3;", "n = n * 0;"] {
            assert_eq!(touched(harmless), Hazards::default(), "{harmless}");
        }
        for division in [
            "n = 7 / n;",
            "n %= n;",
            "n = n / (1 - 1);",
            "float f = n / 2.0;",
            "llSay(0, (string)(1.0 / n));",
        ] {
            assert!(touched(division).divides, "{division}");
        }
        assert!(touched("l += n;").grows && touched("s = s + \"x\";").grows);
        assert!(touched("list k; while (n--) k = k + n;").grows);
        assert!(!touched("list k; k = k + n;").grows && !touched("l = [];").grows);
        assert!(touched("if (n) llDie();").dies);
    }

    #[test]
    fn calls_that_come_back_nest_and_others_do_not() {
        let default = "default { touch_start(integer n) { f(n); } }";
        assert!(hazards(&format!("f(integer n) {{ if (n) f(n - 1); }} {default}")).recurs);
        assert!(
            hazards(&format!(
                "g(integer n) {{ f(n); }} f(integer n) {{ if (n) g(n); }} {default}"
            ))
            .recurs
        );
        assert!(!hazards(&format!("g() {{ }} f(integer n) {{ g(); g(); }} {default}")).recurs);
        // Nobody calls what would go round.
        assert!(!hazards(&format!("g() {{ g(); }} f(integer n) {{ }} {default}")).recurs);
    }
}
