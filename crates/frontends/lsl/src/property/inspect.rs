//! What may stand in properties: expressions that only look, and updates of ghosts.

use source::{Diagnostic, Span};

use super::resolve::{Extra, Names, OLD, Place, Resolver, Scope};
use crate::ast::{BinaryOp, ExprId, ExprKind, Name, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::property as code;
use crate::watch::Fact;

impl Resolver<'_> {
    /// Statements in `on` blocks change ghosts and nothing else.
    pub(super) fn ghost_statement(&mut self, id: StmtId, scope: &Scope) {
        let at = Place {
            scope,
            old: true,
            required: false,
        };
        let statement = self.checked.ast.stmt(id).clone();
        match statement.kind {
            StmtKind::Empty => {}
            StmtKind::Block(statements) => {
                for &inner in &statements {
                    self.ghost_statement(inner, scope);
                }
            }
            StmtKind::If { arms, otherwise } => {
                for &(condition, then) in &arms {
                    self.inspect(condition, at);
                    self.ghost_statement(then, scope);
                }
                if let Some(otherwise) = otherwise {
                    self.ghost_statement(otherwise, scope);
                }
            }
            StmtKind::Expr(expr) => {
                let place = match self.checked.ast.expr(expr).kind {
                    ExprKind::Assign { place, value, .. } => {
                        self.inspect(value, at);
                        place
                    }
                    ExprKind::Step { place, .. } => place,
                    _ => return self.no_update(statement.span),
                };
                match self.checked.exprs.resolution(place) {
                    Some(Resolution::Extra(extra))
                        if matches!(self.out.extras[extra as usize], Extra::Ghost(_)) => {}
                    _ => self.no_update(self.checked.ast.expr(place).span),
                }
            }
            _ => self.no_update(statement.span),
        }
    }

    fn no_update(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(code::UPDATE, "only ghosts can be changed here")
                .at(span)
                .help("declare one with `//@ ghost integer NAME;`")
                .help("`on` blocks hold assignments to ghosts, `if` and blocks"),
        );
    }

    /// Checks a condition where it stands.
    pub(super) fn condition(&mut self, expr: ExprId, at: Place<'_>) {
        let before = self.diagnostics.errors();
        let names = Names {
            scope: at.scope,
            ghosts: &self.ghosts,
            states: &self.states,
            effects: false,
        };
        self.checked.check_condition(expr, &names, self.diagnostics);
        if self.diagnostics.errors() == before {
            self.inspect(expr, at);
        }
    }

    /// Refuses calls that are no reads, and notes which facts about the world are read.
    fn inspect(&mut self, id: ExprId, at: Place<'_>) {
        let (lowest, spine) = self.checked.ast.left_spine(id);
        let mut at = at;
        // From the outermost operator inwards: what stands beside it, and then what stands on its left.
        for &node in spine.iter().rev() {
            if let ExprKind::Binary { op, right, .. } = self.checked.ast.expr(node).kind {
                at.required &= matches!(op, BinaryOp::And | BinaryOp::Or);
                self.inspect(right, at);
            }
        }
        let expr = self.checked.ast.expr(lowest).clone();
        at.required &= matches!(
            expr.kind,
            ExprKind::Parenthesized(_) | ExprKind::Call { .. }
        );
        match expr.kind {
            ExprKind::Vector(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::Rotation(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::List(parts) => parts.iter().for_each(|&part| self.inspect(part, at)),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => {
                self.inspect(operand, at);
            }
            ExprKind::Parenthesized(inner) => self.inspect(inner, at),
            ExprKind::Call {
                function,
                arguments,
            } => self.inspect_call(lowest, function, &arguments, at),
            ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Print(_) => {
                self.no_update(expr.span);
            }
            _ => {}
        }
    }

    fn inspect_call(&mut self, id: ExprId, function: Name, arguments: &[ExprId], at: Place<'_>) {
        let inside = Place {
            required: false,
            ..at
        };
        for &argument in arguments {
            self.inspect(argument, inside);
        }
        match self.checked.exprs.resolution(id) {
            Some(Resolution::Extra(OLD)) => {
                if !at.old {
                    self.diagnostics.push(
                        Diagnostic::error(code::OLD, "`old` has no meaning between events")
                            .at(self.checked.ast.expr(id).span)
                            .help("use it in `when EVENT require ...`"),
                    );
                }
                let argument = self.checked.ast.without_parentheses(arguments[0]);
                let plain = match self.checked.exprs.resolution(argument) {
                    Some(Resolution::Global(_)) => true,
                    Some(Resolution::Extra(extra)) => match self.out.extras[extra as usize] {
                        Extra::Ghost(ghost) => {
                            self.out.old_ghosts.insert(ghost);
                            true
                        }
                        _ => false,
                    },
                    _ => false,
                };
                if !plain {
                    self.diagnostics.push(
                        Diagnostic::error(code::OLD, "`old` takes a variable or a ghost").at(self
                            .checked
                            .ast
                            .expr(argument)
                            .span),
                    );
                }
            }
            Some(Resolution::Extra(_)) => {
                self.out.watch.facts.insert(Fact::Granted);
                // Where they are required, permissions that come with the event in which the script
                // hears of them are the worst case.
                if !at.required {
                    self.out.watch.facts.insert(Fact::GrantedBetween);
                }
            }
            Some(Resolution::Library(library)) if library.name == "llGetOwner" => {
                self.out.watch.facts.insert(Fact::Owner);
            }
            Some(Resolution::Library(library)) if library.name == "llGetInventoryType" => {
                self.out.watch.facts.insert(Fact::Inventory);
                let argument = self.checked.ast.without_parentheses(arguments[0]);
                if let ExprKind::String(text) = self.checked.ast.expr(argument).kind {
                    let item = self.checked.ast.text(text).to_owned();
                    self.out.watch.items.insert(item);
                }
            }
            Some(Resolution::Library(library)) if crate::library::pure(library.name).is_some() => {}
            _ => {
                let name = self.checked.ast.name_text(function);
                self.diagnostics.push(
                    Diagnostic::error(
                        code::NOT_PURE,
                        format!("`{name}` cannot be called in a property"),
                    )
                    .at(function.span)
                    .help("calls that change nothing and depend on their arguments only may stand here, `llGetOwner()` and `llGetInventoryType(item)`"),
                );
            }
        }
    }
}
