//! Which statements are executed: assertions that always hold, at the place of each statement, handler
//! and function of the script, if somebody asks.
//!
//! A statement that got no mark is one that control cannot come to, whatever the values are: behind a
//! `return`, in a branch whose condition is constant, in a function that nothing calls.

use model::{Check, Statements, Stmt};
use source::Span;

use super::code::Unit;
use super::{Build, Coder, Input};
use crate::ast::StmtKind;

/// Whether it is a statement that does something by itself.
pub(super) fn is_statement(kind: &StmtKind) -> bool {
    !matches!(
        kind,
        StmtKind::Error | StmtKind::Empty | StmtKind::Block(_) | StmtKind::Label(_)
    )
}

impl Coder<'_> {
    /// Marks what stands here as executed.
    pub(super) fn mark(&mut self, span: Span) {
        let is_asked = self.input.watch.statements && !matches!(self.unit, Unit::Pure);
        if !is_asked || !self.is_reachable() {
            return;
        }
        self.build.marked.insert(span);
        let check = self.build.marks();
        let cond = self.build.bool(true);
        self.emit(Stmt::Assert { cond, check, span });
    }
}

impl Build {
    /// What marks are about.
    fn marks(&mut self) -> model::CheckId {
        if let Statements::Marks(check) = self.program.statements {
            return check;
        }
        let check = self.program.add_check(Check {
            name: String::new(),
            failure: String::new(),
            span: Span::NONE,
        });
        self.program.statements = Statements::Marks(check);
        check
    }

    /// Lists what got no mark, once the script is lowered.
    pub(super) fn find_unlinked(&mut self, input: Input<'_>) {
        if !input.watch.statements {
            return;
        }
        self.marks();
        let ast = &input.checked.ast;
        let statements = (0..ast.stmt_count())
            .map(|index| ast.stmt(crate::ast::StmtId::new(index)))
            .filter(|stmt| is_statement(&stmt.kind))
            .map(|stmt| stmt.span);
        let handlers = ast.handler_ids().map(|id| ast.handler(id).span);
        let functions = ast.function_ids().map(|id| ast.function(id).span);
        let all = statements.chain(handlers).chain(functions);
        self.script.unlinked = all.filter(|span| !self.marked.contains(span)).collect();
    }
}
