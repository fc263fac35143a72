//! Which variables are followed.

use std::collections::HashSet;

use super::Detail;
use super::divisors::harmless;
use super::regions::{Regions, Values};
use super::relevant::{Relevant, Seen};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts;
use crate::lower::{Variable, divides, for_each_operand, for_each_part, parts_of, units, variable};
use crate::types::Type;

/// A loop that is known to end after so many rounds is followed round by round.
const MOST_ROUNDS: i32 = 8;

/// Where more variables than this keep texts and keys, texts from outside are not followed if there are to be
/// finitely many states: each may be one of all that the script compares it with, in each variable that keeps it.
const MOST_TEXTS: usize = 4;

/// Parameters that bring texts of which the script has only asked for something, by event and position.
const OUTSIDE_TEXTS: [(&str, usize); 3] =
    [("dataserver", 1), ("http_response", 3), ("http_request", 2)];

/// Readings that are followed.
pub(super) const READINGS: [&str; 7] = [
    "llGetOwner",
    "llGetKey",
    "llGetPermissions",
    "llDetectedKey",
    "llGetInventoryType",
    "llGetInventoryName",
    "llGetInventoryNumber",
];

/// What of a script is followed.
pub(super) struct Kept<'a> {
    pub(super) checked: &'a Checked,
    /// Integers that a loop of unknown length changes.
    counters: HashSet<Variable>,
    /// Loops whose end is known.
    short: HashSet<StmtId>,
    /// Variables that keep a key of a request or the handle of a listen, channels heard on, and what of messages
    /// from other scripts is not followed.
    requests: HashSet<Variable>,
    /// Texts in which a value may be stored that is not followed.
    vague: HashSet<Variable>,
    pub(super) relevant: Relevant<'a>,
    /// Divisions that are no Math Error.
    harmless: HashSet<ExprId>,
    /// If integers are followed only as far as representatives stand for all.
    regions: Option<Regions<'a>>,
}

impl<'a> Kept<'a> {
    pub(super) fn of(checked: &'a Checked, seen: &'a Seen, detail: Detail) -> Kept<'a> {
        let finite = detail.is_finite();
        let mut kept = Kept {
            checked,
            counters: HashSet::new(),
            short: HashSet::new(),
            requests: HashSet::new(),
            vague: HashSet::new(),
            relevant: Relevant::of(checked, seen, detail),
            harmless: harmless(checked),
            regions: finite.then(|| Regions::of(checked, detail)),
        };
        for id in checked.ast.handler_ids() {
            let name = checked.event(id).map(|event| event.name);
            if matches!(
                name,
                Some("listen" | "dataserver" | "http_response" | "http_request")
            ) {
                kept.requests.insert((Some(id.index()), 0));
            }
            let parts = seen.unfollowed.iter();
            let parts = parts.filter(|(event, _)| Some(*event) == name);
            kept.requests
                .extend(parts.map(|(_, part)| (Some(id.index()), *part)));
        }
        for (unit, body) in units(&checked.ast) {
            kept.look_at(unit, body, false);
        }
        kept.find_vague();
        if finite && kept.text_variables() > MOST_TEXTS {
            for id in checked.ast.handler_ids() {
                let name = checked.event(id).map(|event| event.name);
                let texts = OUTSIDE_TEXTS
                    .iter()
                    .filter(|(event, _)| Some(*event) == name);
                kept.requests
                    .extend(texts.map(|(_, part)| (Some(id.index()), *part)));
            }
            kept.find_vague();
        }
        kept
    }

    /// Finds the texts in which a value may be stored that is not followed.
    fn find_vague(&mut self) {
        while let Some(vague) = self.vague_text() {
            self.vague.insert(vague);
        }
    }

    /// How many global variables for texts and keys are followed.
    fn text_variables(&self) -> usize {
        let ast = &self.checked.ast;
        ast.global_ids()
            .filter(|id| {
                let ty = ast.global(*id).ty;
                ty.is_text() && self.has((None, id.index()), ty)
            })
            .count()
    }

    /// Whether a variable of this type is followed.
    pub(super) fn has(&self, variable: Variable, ty: Type) -> bool {
        self.relevant.sees_variable(variable)
            || self.follows(ty)
                && !self.requests.contains(&variable)
                && !self.vague.contains(&variable)
                && (ty != Type::Integer
                    || self
                        .regions
                        .as_ref()
                        .is_none_or(|regions| regions.variable(variable) != Values::Computed))
                && self.relevant.variables.contains(&variable)
                && !self.counters.contains(&variable)
    }

    /// Whether evaluating the expression's own operation may be a Math Error.
    pub(super) fn divides(&self, id: ExprId) -> bool {
        divides(self.checked, id) && !self.harmless.contains(&id)
    }

    /// Whether values of a type are followed: of lists, how long they are, where numbers are followed
    /// as far as they go.
    pub(super) fn follows(&self, ty: Type) -> bool {
        is_followed(ty) || ty == Type::List && self.regions.is_none()
    }

    /// Whether an integer that is not followed is sent as any of finitely many that stand for all. Then the
    /// numbers in messages are followed, and there are more states.
    pub(super) fn has_any_numbers(&self) -> bool {
        let regions = self.regions.as_ref();
        regions.is_some_and(|regions| regions.detail() == Detail::Dependent)
    }

    /// Whether representatives tell what an operation gives.
    pub(super) fn is_finite(&self, unit: usize, id: ExprId) -> bool {
        let Some(regions) = &self.regions else {
            return true;
        };
        match self.checked.ast.expr(id).kind {
            ExprKind::Binary {
                op, left, right, ..
            } => regions.may_compare(unit, op, left, right),
            _ => regions.expression(unit, id) != Values::Computed,
        }
    }

    /// Whether what a library function reads is followed: a fact that no call changes which is
    /// passed over.
    pub(super) fn is_reading(&self, function: &str) -> bool {
        READINGS.contains(&function)
            || function == "llGetLinkKey" && self.relevant.seen().company
            || self.regions.is_none() && matches!(function, "llGetUnixTime" | "llAbs")
    }

    /// Whether a loop is gone round as often as it says.
    pub(super) fn is_short(&self, stmt: StmtId) -> bool {
        self.short.contains(&stmt)
    }

    /// Whether it matters that others act while a call sleeps.
    pub(super) fn sleeps_matter(&self) -> bool {
        self.relevant.seen().company || self.relevant.sees("llGiveInventory")
    }

    fn look_at(&mut self, unit: usize, stmt: StmtId, looped: bool) {
        let ast = &self.checked.ast;
        let kind = &ast.stmt(stmt).kind;
        let jumps = looped || self.has_labels(stmt);
        let inside = match kind {
            StmtKind::While { .. } | StmtKind::DoWhile { .. } => true,
            StmtKind::For { .. } if self.ends_soon(stmt) => {
                self.short.insert(stmt);
                jumps
            }
            StmtKind::For { .. } => true,
            _ => jumps,
        };
        let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        for expr in exprs {
            self.requests(unit, expr);
            if inside {
                self.count(unit, expr);
            }
        }
        for stmt in stmts {
            self.look_at(unit, stmt, inside);
        }
    }

    /// Whether a block has labels, to which a jump may go back.
    fn has_labels(&self, stmt: StmtId) -> bool {
        let ast = &self.checked.ast;
        match &ast.stmt(stmt).kind {
            StmtKind::Block(body) => body
                .iter()
                .any(|&stmt| matches!(ast.stmt(stmt).kind, StmtKind::Label(_))),
            _ => false,
        }
    }

    /// Notes the variables to which the value of a request is assigned.
    fn requests(&mut self, unit: usize, expr: ExprId) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if let ExprKind::Assign { place, value, .. } = ast.expr(expr).kind
                && let Some(Resolution::Library(function)) = self
                    .checked
                    .exprs
                    .resolution(ast.without_parentheses(value))
                && facts::role(function.name).is_some_and(|role| role.class_name() == "causes")
                && let Some(variable) = variable(self.checked, unit, place)
            {
                self.requests.insert(variable);
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    /// Notes the integers that an expression of a loop changes to something new.
    fn count(&mut self, unit: usize, expr: ExprId) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            let changed = match ast.expr(expr).kind {
                ExprKind::Step { place, .. } => Some(place),
                ExprKind::Assign { op, place, value } => {
                    (op.is_some() || !is_constant(self.checked, value)).then_some(place)
                }
                _ => None,
            };
            if let Some(variable) = changed.and_then(|place| variable(self.checked, unit, place)) {
                self.counters.insert(variable);
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    /// Whether a `for` loop counts from one number to another near it.
    fn ends_soon(&self, stmt: StmtId) -> bool {
        let ast = &self.checked.ast;
        let StmtKind::For {
            before,
            condition,
            after,
            body,
        } = &ast.stmt(stmt).kind
        else {
            return false;
        };
        let ([start], [step]) = (&before[..], &after[..]) else {
            return false;
        };
        let ExprKind::Assign {
            op: None,
            place,
            value,
        } = ast.expr(*start).kind
        else {
            return false;
        };
        let ExprKind::Step {
            place: stepped,
            by: 1,
            ..
        } = ast.expr(*step).kind
        else {
            return false;
        };
        let ExprKind::Binary {
            op: BinaryOp::Less | BinaryOp::LessEqual,
            left,
            right,
            ..
        } = ast.expr(*condition).kind
        else {
            return false;
        };
        let resolution = |id| self.checked.exprs.resolution(id);
        let number = |id| match ast.expr(ast.without_parentheses(id)).kind {
            ExprKind::Integer(number) => Some(number),
            _ => None,
        };
        let one = matches!(resolution(place), Some(Resolution::Local(_)))
            && resolution(place) == resolution(stepped)
            && resolution(place) == resolution(left);
        let near = number(value)
            .zip(number(right))
            .is_some_and(|(from, to)| from >= 0 && to.saturating_sub(from) <= MOST_ROUNDS);
        one && near && !self.changes(*body, resolution(place))
    }

    /// Whether a statement changes a variable.
    fn changes(&self, stmt: StmtId, wanted: Option<Resolution>) -> bool {
        let ast = &self.checked.ast;
        parts_of(ast, stmt).1.into_iter().any(|expr| {
            matches!(
                ast.expr(expr).kind,
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. }
                    if self.checked.exprs.resolution(place) == wanted
            )
        })
    }
}

/// Whether values of a type are followed whatever they are.
fn is_followed(ty: Type) -> bool {
    matches!(ty, Type::Integer | Type::Key | Type::String)
}

fn is_constant(checked: &Checked, expr: ExprId) -> bool {
    let ast = &checked.ast;
    let expr = ast.without_parentheses(expr);
    match ast.expr(expr).kind {
        ExprKind::Integer(_) | ExprKind::String(_) => true,
        ExprKind::Unary { operand, .. } => is_constant(checked, operand),
        ExprKind::Name(_) => matches!(
            checked.exprs.resolution(expr),
            Some(Resolution::Constant(_))
        ),
        _ => false,
    }
}
