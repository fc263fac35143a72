//! A script as the suspicions see it: its units, what they call, what they reach.

use std::collections::BTreeSet;

use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, LocalId, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts::{self, Value};
use crate::lower::{all_within, any_part, parts_of};
use source::Span;

/// A handler, or behind them a function, by number.
pub(super) type Unit = usize;

/// A call of a library function.
pub(super) struct Call<'a> {
    pub(super) unit: Unit,
    pub(super) name: &'static str,
    pub(super) arguments: &'a [ExprId],
    pub(super) span: Span,
}

/// A script that has been looked over.
pub(super) struct Look<'a> {
    pub(super) checked: &'a Checked,
    /// For each unit, its statements and expressions.
    parts: Vec<(Vec<StmtId>, Vec<ExprId>)>,
    /// All calls of library functions.
    pub(super) calls: Vec<Call<'a>>,
    /// For each unit, the units that run when it does, itself among them.
    reached: Vec<BTreeSet<Unit>>,
    /// Whether it takes or gives money.
    pub(super) has_money: bool,
}

impl<'a> Look<'a> {
    pub(super) fn of(checked: &'a Checked) -> Look<'a> {
        let ast = &checked.ast;
        let handlers = ast.handler_ids().map(|id| ast.handler(id).body);
        let functions = ast.function_ids().map(|id| ast.function(id).body);
        let bodies = handlers.chain(functions);
        let parts: Vec<_> = bodies.map(|body| parts_of(ast, body)).collect();
        let mut calls = Vec::new();
        let mut reached: Vec<BTreeSet<Unit>> = Vec::new();
        for (unit, (_, exprs)) in parts.iter().enumerate() {
            let mut own = BTreeSet::from([unit]);
            for &expr in exprs {
                let ExprKind::Call { arguments, .. } = &ast.expr(expr).kind else {
                    continue;
                };
                match checked.exprs.resolution(expr) {
                    Some(Resolution::Library(function)) => calls.push(Call {
                        unit,
                        name: function.name,
                        arguments,
                        span: ast.expr(expr).span,
                    }),
                    Some(Resolution::Function(function)) => {
                        own.insert(ast.handlers.len() + function.index());
                    }
                    _ => {}
                }
            }
            reached.push(own);
        }
        let mut look = Look {
            checked,
            parts,
            calls,
            reached,
            has_money: false,
        };
        look.close();
        let pays = |call: &Call<'_>| is_payment(call.name);
        look.has_money = look.handlers("money").next().is_some() || look.calls.iter().any(pays);
        look
    }

    /// From what units call to what they reach.
    fn close(&mut self) {
        let called: Vec<Vec<Unit>> = self
            .reached
            .iter()
            .map(|called| called.iter().copied().collect())
            .collect();
        for unit in 0..called.len() {
            let mut seen = vec![false; called.len()];
            seen[unit] = true;
            let mut open = vec![unit];
            while let Some(next) = open.pop() {
                for &other in &called[next] {
                    if !std::mem::replace(&mut seen[other], true) {
                        open.push(other);
                    }
                }
            }
            let reached = (0..called.len()).filter(|&other| seen[other]);
            self.reached[unit] = reached.collect();
        }
    }

    /// The handlers of an event.
    pub(super) fn handlers(&self, event: &str) -> impl Iterator<Item = Unit> {
        let ast = &self.checked.ast;
        let symbol = ast.symbol(event);
        let handlers = ast.handlers.iter().enumerate();
        handlers.filter_map(move |(unit, handler)| {
            (Some(handler.event.symbol) == symbol).then_some(unit)
        })
    }

    /// The event that a unit handles.
    pub(super) fn event(&self, unit: Unit) -> Option<&str> {
        let ast = &self.checked.ast;
        ast.handlers
            .get(unit)
            .map(|handler| ast.name_text(handler.event))
    }

    /// The units that run when this one does.
    pub(super) fn reached(&self, unit: Unit) -> &BTreeSet<Unit> {
        &self.reached[unit]
    }

    /// The expressions of a unit.
    pub(super) fn exprs(&self, unit: Unit) -> &[ExprId] {
        &self.parts[unit].1
    }

    /// The statements of a unit.
    pub(super) fn stmts(&self, unit: Unit) -> &[StmtId] {
        &self.parts[unit].0
    }

    /// The units, by number.
    pub(super) fn units(&self) -> std::ops::Range<Unit> {
        0..self.parts.len()
    }

    /// Whether a call of this function is somewhere in the script.
    pub(super) fn calls(&self, name: &str) -> bool {
        self.calls.iter().any(|call| call.name == name)
    }

    /// The calls that run when a unit does.
    pub(super) fn calls_from(&self, unit: Unit) -> impl Iterator<Item = &Call<'a>> {
        self.calls
            .iter()
            .filter(move |call| self.reached[unit].contains(&call.unit))
    }

    /// Whether a unit mentions its parameter of this position.
    pub(super) fn reads_parameter(&self, unit: Unit, position: usize) -> bool {
        self.exprs(unit)
            .iter()
            .any(|&expr| self.is_parameter(expr, position))
    }

    /// Whether an expression is the parameter of this position, in a unit where it stands.
    pub(super) fn is_parameter(&self, expr: ExprId, position: usize) -> bool {
        matches!(
            self.checked.exprs.resolution(expr),
            Some(Resolution::Local(local)) if local.index() == position
        )
    }

    /// The global variable that an expression is.
    pub(super) fn global(&self, expr: ExprId) -> Option<GlobalId> {
        match self
            .checked
            .exprs
            .resolution(self.checked.ast.without_parentheses(expr))
        {
            Some(Resolution::Global(global)) => Some(global),
            _ => None,
        }
    }

    /// The assignments to global variables in a unit: variable, whether with an operator, value.
    pub(super) fn stores(
        &self,
        unit: Unit,
    ) -> impl Iterator<Item = (GlobalId, ExprId, bool, ExprId)> {
        self.exprs(unit)
            .iter()
            .filter_map(|&expr| match self.checked.ast.expr(expr).kind {
                ExprKind::Assign { op, place, value } => {
                    Some((self.global(place)?, expr, op.is_some(), value))
                }
                _ => None,
            })
    }

    /// The place and the value of `place = value`.
    pub(super) fn assignment(&self, expr: ExprId) -> Option<(ExprId, ExprId)> {
        match self.checked.ast.expr(expr).kind {
            ExprKind::Assign {
                op: None,
                place,
                value,
            } => Some((place, value)),
            _ => None,
        }
    }

    /// What a local variable is given: where it is declared, by assignments, and, to a parameter, by
    /// calls; with the units where these stand.
    pub(super) fn given(&self, unit: Unit, local: LocalId) -> Vec<(Unit, ExprId)> {
        let (checked, ast) = (self.checked, &self.checked.ast);
        let declared = self.stmts(unit).iter().filter_map(|&stmt| {
            let StmtKind::Declare { value, .. } = ast.stmt(stmt).kind else {
                return None;
            };
            value.filter(|_| checked.declared(stmt) == Some(local))
        });
        let assigned = self
            .exprs(unit)
            .iter()
            .filter_map(|&expr| match ast.expr(expr).kind {
                ExprKind::Assign { place, value, .. } => (checked.exprs.resolution(place)
                    == Some(Resolution::Local(local)))
                .then_some(value),
                _ => None,
            });
        let mut found: Vec<_> = declared
            .chain(assigned)
            .map(|value| (unit, value))
            .collect();
        if let Some(function) = unit.checked_sub(ast.handlers.len()) {
            for caller in self.units() {
                found.extend(self.exprs(caller).iter().filter_map(|&expr| {
                    let ExprKind::Call { arguments, .. } = &ast.expr(expr).kind else {
                        return None;
                    };
                    match checked.exprs.resolution(expr)? {
                        Resolution::Function(called) if called.index() == function => {
                            let argument = arguments.get(local.index())?;
                            Some((caller, *argument))
                        }
                        _ => None,
                    }
                }));
            }
        }
        found
    }

    /// The call of a library function that an expression is.
    pub(super) fn call(&self, expr: ExprId) -> Option<&Call<'a>> {
        let ast = &self.checked.ast;
        let span = ast.expr(ast.without_parentheses(expr)).span;
        self.calls.iter().find(|call| call.span == span)
    }

    /// The body of a unit.
    pub(super) fn body(&self, unit: Unit) -> StmtId {
        let ast = &self.checked.ast;
        match unit.checked_sub(ast.handlers.len()) {
            Some(function) => ast.function(FunctionId::new(function)).body,
            None => ast.handlers[unit].body,
        }
    }

    /// Whether an expression is the owner's key: `llGetOwner()`, or a variable that has kept it.
    pub(super) fn is_owner(&self, expr: ExprId) -> bool {
        let expr = self.checked.ast.without_parentheses(expr);
        let calls = |expr: ExprId| {
            matches!(
                self.checked.exprs.resolution(expr),
                Some(Resolution::Library(function)) if function.name == "llGetOwner"
            )
        };
        calls(expr)
            || self.global(expr).is_some_and(|global| {
                let mut stores = self.units().flat_map(|unit| self.stores(unit));
                stores.any(|(kept, _, _, value)| kept == global && calls(value))
            })
    }

    /// Whether some part of an expression is so.
    pub(super) fn any(&self, expr: ExprId, test: impl Fn(ExprId) -> bool) -> bool {
        any_part(&self.checked.ast, expr, test)
    }

    /// An expression and all that it is made of.
    pub(super) fn within(&self, expr: ExprId) -> Vec<ExprId> {
        all_within(&self.checked.ast, expr)
    }

    /// The integer that an expression is, if it is written in the script or a builtin constant.
    pub(super) fn integer(&self, expr: ExprId) -> Option<i32> {
        self.checked.written_integer(expr)
    }

    /// The [text](Self::text) that an expression is, or the first value of a variable that nothing assigns to.
    pub(super) fn wording(&self, expr: ExprId) -> Option<&str> {
        let Some(global) = self.global(expr) else {
            return self.text(expr);
        };
        let mut stores = self.units().flat_map(|unit| self.stores(unit));
        let is_kept = !stores.any(|(stored, ..)| stored == global);
        let value = self.checked.ast.global(global).value?;
        is_kept.then(|| self.text(value)).flatten()
    }

    /// The text that an expression is, if it is written in the script or a builtin constant.
    pub(super) fn text(&self, expr: ExprId) -> Option<&str> {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        match &ast.expr(expr).kind {
            ExprKind::String(symbol) => Some(ast.text(*symbol)),
            ExprKind::Cast { operand, .. } => self.text(*operand),
            _ => match self.checked.exprs.resolution(expr) {
                Some(Resolution::Constant(facts::Constant {
                    value: Value::String(value),
                    ..
                })) => Some(value),
                _ => None,
            },
        }
    }
}

/// Whether a call pays.
pub(super) fn is_payment(name: &str) -> bool {
    matches!(name, "llGiveMoney" | "llTransferLindenDollars")
}

/// Whether a call hands something over.
pub(super) fn is_gift(name: &str) -> bool {
    matches!(
        name,
        "llGiveInventory" | "llGiveInventoryList" | "llRemoteLoadScriptPin"
    )
}
