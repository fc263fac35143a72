//! What a check depends on: which statements, which conditions, and the variables in these.
//!
//! A statement is relevant if the check sees it or if it decides where control goes in a unit that
//! has such statements. Variables are followed if a condition around relevant statements, or a call
//! that the check sees, reads them; and of local ones all from which their values are made. What a
//! global variable that is followed is made from is not looked at further, but for texts that are
//! copied: that is the cut. In [dependent](super::Detail::Dependent) scripts it is made further away:
//! there what is copied to integers is followed, and the conditions under which they are assigned to,
//! as far as these read parameters, local variables and other integers.

use std::collections::{BTreeSet, HashSet};

use super::Detail;
use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::linkset::loads::SET_PIN;
use crate::linkset::member::acts_on_scripts;
use crate::lower::{Variable, units, variable};
use crate::lower::{any_part, for_each_operand, for_each_part, parts_of};
use crate::types::Type;

/// What checks see of a script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Library functions whose calls they see, with the arguments.
    pub(crate) calls: BTreeSet<&'static str>,
    /// Global variables whose changes they see.
    pub(crate) variables: BTreeSet<GlobalId>,
    /// Whether the script is one of several that run together.
    pub(crate) company: bool,
    /// Which parts of messages between them are not followed, by the event and the position of the parameter.
    pub(crate) unfollowed: BTreeSet<(&'static str, usize)>,
}

/// Calls by which control leaves a handler, or on which it depends what a script may do. Where scripts run together,
/// calls by which one of them halts or loads another are among them.
const ALWAYS: [&str; 3] = ["llResetScript", "llDie", "llRequestPermissions"];

/// What is relevant.
pub(super) struct Relevant<'a> {
    checked: &'a Checked,
    seen: &'a Seen,
    functions: HashSet<FunctionId>,
    units: HashSet<usize>,
    statements: HashSet<StmtId>,
    /// Variables that are followed.
    pub(super) variables: HashSet<Variable>,
}

impl<'a> Relevant<'a> {
    pub(super) fn of(checked: &'a Checked, seen: &'a Seen, detail: Detail) -> Relevant<'a> {
        let mut relevant = Relevant {
            checked,
            seen,
            functions: HashSet::new(),
            units: HashSet::new(),
            statements: HashSet::new(),
            variables: HashSet::new(),
        };
        let bodies = units(&checked.ast);
        let handlers = checked.ast.handlers.len();
        // Functions are relevant if those are that they call.
        let mut count = usize::MAX;
        while count != relevant.units.len() {
            count = relevant.units.len();
            for &(unit, body) in &bodies {
                if !relevant.units.contains(&unit) && relevant.has_seen(body) {
                    relevant.units.insert(unit);
                    if let Some(function) = unit.checked_sub(handlers) {
                        relevant.functions.insert(FunctionId::new(function));
                    }
                }
            }
        }
        for &(unit, body) in &bodies {
            if relevant.units.contains(&unit) {
                relevant.mark(body);
                relevant.conditions(unit, body);
            }
        }
        relevant.close(&bodies, detail == Detail::Dependent);
        relevant
    }

    /// Whether the check sees a call of this function.
    pub(super) fn sees(&self, function: &str) -> bool {
        self.seen.calls.contains(function)
            || ALWAYS.contains(&function)
            || self.seen.company && (acts_on_scripts(function) || function == SET_PIN)
    }

    /// What the checks see.
    pub(super) fn seen(&self) -> &Seen {
        self.seen
    }

    /// Whether the check sees a change of this variable.
    pub(super) fn sees_variable(&self, (unit, index): Variable) -> bool {
        unit.is_none() && self.seen.variables.contains(&GlobalId::new(index))
    }

    /// Whether an expression calls something that is seen.
    fn is_seen(&self, expr: ExprId) -> bool {
        if let ExprKind::Assign { place, .. } = self.checked.ast.expr(expr).kind
            && let Some(Resolution::Global(global)) = self.checked.exprs.resolution(place)
        {
            return self.seen.variables.contains(&global);
        }
        match self.checked.exprs.resolution(expr) {
            Some(Resolution::Library(function)) => self.sees(function.name),
            Some(Resolution::Function(function)) => self.functions.contains(&function),
            _ => false,
        }
    }

    /// Whether a statement holds something that is seen.
    fn has_seen(&self, stmt: StmtId) -> bool {
        let (stmts, exprs) = parts_of(&self.checked.ast, stmt);
        let leaves = |stmt: StmtId| matches!(self.checked.ast.stmt(stmt).kind, StmtKind::State(_));
        stmts.into_iter().any(leaves) || exprs.into_iter().any(|expr| self.is_seen(expr))
    }

    /// Marks the statements of a relevant unit; gives whether this one is relevant.
    fn mark(&mut self, stmt: StmtId) -> bool {
        let kind = &self.checked.ast.stmt(stmt).kind;
        let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        let mut relevant = matches!(
            kind,
            StmtKind::State(_) | StmtKind::Return(_) | StmtKind::Jump(_)
        ) || exprs
            .iter()
            .any(|&expr| any_part(&self.checked.ast, expr, |part| self.is_seen(part)));
        for stmt in stmts {
            relevant |= self.mark(stmt);
        }
        if relevant {
            self.statements.insert(stmt);
        }
        relevant
    }

    /// Follows what conditions around relevant statements read, and arguments of seen calls.
    fn conditions(&mut self, unit: usize, stmt: StmtId) {
        if !self.statements.contains(&stmt) {
            return;
        }
        let checked = self.checked;
        let kind = &checked.ast.stmt(stmt).kind;
        let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        match kind {
            StmtKind::If { .. } => {
                for expr in exprs {
                    self.follow(unit, expr);
                }
            }
            _ => {
                for expr in exprs {
                    self.arguments(unit, expr);
                }
            }
        }
        for stmt in stmts {
            self.conditions(unit, stmt);
        }
    }

    fn arguments(&mut self, unit: usize, expr: ExprId) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if self.is_seen(expr) {
                self.follow(unit, expr);
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    /// Follows every variable that an expression reads.
    fn follow(&mut self, unit: usize, expr: ExprId) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if let ExprKind::Name(_) = ast.expr(expr).kind
                && let Some(variable) = variable(self.checked, unit, expr)
            {
                self.variables.insert(variable);
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    /// Follows what local variables are made from, and parameters.
    fn close(&mut self, bodies: &[(usize, StmtId)], dependent: bool) {
        let mut count = usize::MAX;
        while count != self.variables.len() {
            count = self.variables.len();
            for &(unit, body) in bodies {
                self.definitions(unit, body);
            }
            if !dependent {
                continue;
            }
            let flags = self.functions_with_flags(bodies);
            for &(unit, body) in bodies {
                self.guards(unit, body, &flags, &mut Vec::new());
            }
        }
    }

    /// Functions that assign to an integer that is followed, or call one that does.
    fn functions_with_flags(&self, bodies: &[(usize, StmtId)]) -> HashSet<FunctionId> {
        let handlers = self.checked.ast.handlers.len();
        let mut found = HashSet::new();
        let mut count = usize::MAX;
        while count != found.len() {
            count = found.len();
            for &(unit, body) in bodies {
                let (_, exprs) = parts_of(&self.checked.ast, body);
                if let Some(function) = unit.checked_sub(handlers)
                    && exprs.into_iter().any(|expr| self.sets_flag(expr, &found))
                {
                    found.insert(FunctionId::new(function));
                }
            }
        }
        found
    }

    /// Whether an expression assigns to a global integer that is followed, or calls one of these functions.
    fn sets_flag(&self, expr: ExprId, functions: &HashSet<FunctionId>) -> bool {
        match self.checked.ast.expr(expr).kind {
            ExprKind::Assign { place, .. } => {
                self.checked.exprs.ty(place).value() == Some(Type::Integer)
                    && matches!(
                        self.checked.exprs.resolution(place),
                        Some(Resolution::Global(global))
                            if self.variables.contains(&(None, global.index()))
                    )
            }
            ExprKind::Call { .. } => matches!(
                self.checked.exprs.resolution(expr),
                Some(Resolution::Function(function)) if functions.contains(&function)
            ),
            _ => false,
        }
    }

    /// Follows the conditions under which integers are assigned to that are followed: those around the
    /// assignment, and those before it under which control leaves. Gives whether control may leave.
    fn guards(
        &mut self,
        unit: usize,
        stmt: StmtId,
        functions: &HashSet<FunctionId>,
        conditions: &mut Vec<ExprId>,
    ) -> bool {
        let checked = self.checked;
        let kind = &checked.ast.stmt(stmt).kind;
        let outside = conditions.len();
        match kind {
            StmtKind::Return(_) | StmtKind::State(_) | StmtKind::Jump(_) => true,
            StmtKind::Block(body) => {
                let mut leaves = false;
                for &stmt in body {
                    let before = conditions.len();
                    if self.guards(unit, stmt, functions, conditions) {
                        leaves = true;
                        if let StmtKind::If { arms, .. } = &checked.ast.stmt(stmt).kind {
                            conditions.extend(arms.iter().map(|&(condition, _)| condition));
                            continue;
                        }
                    }
                    conditions.truncate(before);
                }
                conditions.truncate(outside);
                leaves
            }
            StmtKind::If { arms, otherwise } => {
                let mut leaves = false;
                for &(condition, body) in arms {
                    self.guard(unit, condition, functions, conditions);
                    conditions.push(condition);
                    leaves |= self.guards(unit, body, functions, conditions);
                }
                for &stmt in otherwise.iter() {
                    leaves |= self.guards(unit, stmt, functions, conditions);
                }
                conditions.truncate(outside);
                leaves
            }
            kind => {
                let (mut exprs, mut stmts) = (Vec::new(), Vec::new());
                for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
                for expr in exprs {
                    self.guard(unit, expr, functions, conditions);
                }
                let mut leaves = false;
                for stmt in stmts {
                    leaves |= self.guards(unit, stmt, functions, conditions);
                }
                leaves
            }
        }
    }

    /// Follows these conditions if the expression assigns to an integer that is followed, and what is copied
    /// to it.
    fn guard(
        &mut self,
        unit: usize,
        expr: ExprId,
        functions: &HashSet<FunctionId>,
        conditions: &[ExprId],
    ) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if self.sets_flag(expr, functions) {
                for &condition in conditions {
                    self.follow_flags(unit, condition);
                }
                if let ExprKind::Assign { value, .. } = ast.expr(expr).kind {
                    self.follow_flags(unit, value);
                }
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    /// Follows the parameters, local variables and global integers that an expression reads.
    fn follow_flags(&mut self, unit: usize, expr: ExprId) {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if let ExprKind::Name(_) = ast.expr(expr).kind
                && let Some(variable) = variable(self.checked, unit, expr)
                && (variable.0.is_some()
                    || self.checked.exprs.ty(expr).value() == Some(Type::Integer))
            {
                self.variables.insert(variable);
            }
            for_each_operand(ast, expr, |operand| pending.push(operand));
        }
    }

    fn definitions(&mut self, unit: usize, body: StmtId) {
        let checked = self.checked;
        let ast = &checked.ast;
        let (stmts, exprs) = parts_of(ast, body);
        for stmt in stmts {
            if let StmtKind::Declare {
                value: Some(value), ..
            } = &ast.stmt(stmt).kind
                && let Some(local) = checked.declared(stmt)
                && self.variables.contains(&(Some(unit), local.index()))
            {
                self.follow(unit, *value);
            }
        }
        for expr in exprs {
            match &ast.expr(expr).kind {
                ExprKind::Assign { place, value, .. } => {
                    let copies = matches!(ast.expr(*value).kind, ExprKind::Name(_))
                        && checked.exprs.ty(*value).value().is_some_and(Type::is_text);
                    if let Some(variable) = variable(checked, unit, *place)
                        && (variable.0.is_some() || copies)
                        && self.variables.contains(&variable)
                    {
                        self.follow(unit, *value);
                    }
                }
                ExprKind::Call { arguments, .. } => {
                    if let Some(Resolution::Function(function)) = checked.exprs.resolution(expr) {
                        let callee = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            if self.variables.contains(&(Some(callee), index)) {
                                self.follow(unit, argument);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
