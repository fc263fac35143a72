//! Statements.
//!
//! A statement without loops, jumps, calls of user functions and the like goes into the step at
//! hand as it is, branches included; others close the step and open new ones.

use model::{Place, Stmt, Target, Variable};
use source::Span;

use super::Next;
use super::build::model_type;
use super::code::{Coder, Unit};
use super::marks;
use crate::ast::{self, ExprKind, StmtId, StmtKind};
use crate::check::Resolution;
use crate::library;

impl Coder<'_> {
    /// Lowers a statement into the open step, or over several steps.
    pub(crate) fn statement(&mut self, id: StmtId) {
        if !self.is_reachable() && self.input.survey.is_straight(id) {
            return;
        }
        let mark = self.temporaries.mark();
        let checked = self.input.checked;
        let stmt = checked.ast.stmt(id);
        let span = stmt.span;
        if marks::is_statement(&stmt.kind) {
            self.mark(span);
        }
        self.halt_before(id, span);
        if self.input.survey.divides(id) {
            self.stand_at(span);
        }
        match &stmt.kind {
            StmtKind::Error | StmtKind::Empty => {}
            StmtKind::Block(body) => {
                for &stmt in body {
                    self.statement(stmt);
                }
            }
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Declare { ty, name, value } => {
                let value = match value {
                    Some(value) => self.stored_value(*value, *ty),
                    None => self.zero(*ty),
                };
                if let Some(local) = checked.declared(id) {
                    let known = self.locals.get(local.index()).cloned().flatten();
                    let place = known.unwrap_or_else(|| {
                        self.temporaries.variable(
                            &mut self.build.program,
                            &mut self.build.slots,
                            Variable {
                                span: name.span,
                                ..Variable::new(checked.ast.name_text(*name), model_type(*ty))
                            },
                        )
                    });
                    self.locals[local.index()] = Some(place.clone());
                    self.emit(Stmt::Assign(place, value));
                }
            }
            StmtKind::If { arms, otherwise } => {
                if self.input.survey.is_straight(id) {
                    self.straight_arms(arms, *otherwise);
                } else {
                    self.arms(arms, *otherwise, span);
                }
            }
            StmtKind::While { condition, body } => {
                let head = self.part("while", span);
                self.begin_at(head, None, span);
                let exit = self.loop_condition(id, *condition, span);
                self.statement(*body);
                self.close(Target::Goto(head));
                self.begin_at(exit, None, span);
            }
            StmtKind::DoWhile { condition, body } => {
                let head = self.part("do", span);
                self.begin_at(head, None, span);
                self.statement(*body);
                let exit = self.loop_condition(id, *condition, span);
                self.close(Target::Goto(head));
                self.begin_at(exit, None, span);
            }
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => {
                for &expr in before {
                    self.effect(expr);
                }
                let head = self.part("for", span);
                self.begin_at(head, None, span);
                let exit = self.loop_condition(id, *condition, span);
                self.statement(*body);
                for &expr in after {
                    self.effect(expr);
                }
                self.close(Target::Goto(head));
                self.begin_at(exit, None, span);
            }
            StmtKind::Label(_) => {
                if let Some(label) = checked.label(id) {
                    let location = self.label(label, span);
                    self.go_on_at(location, span);
                }
            }
            StmtKind::Jump(_) => {
                if let Some(label) = checked.label(id) {
                    let location = self.label(label, span);
                    self.close(Target::Goto(location));
                }
            }
            StmtKind::Return(value) => self.return_(*value),
            StmtKind::State(_) => {
                if let Some(state) = checked.target_state(id) {
                    match self.unit {
                        // To the same state is no change: the handler just ends.
                        Unit::Handler {
                            state: here, done, ..
                        } if here == state => self.close(Target::Goto(done)),
                        _ => self.leave(Next::State(state), span),
                    }
                }
            }
        }
        self.temporaries.restore(mark);
    }

    fn return_(&mut self, value: Option<ast::ExprId>) {
        if !self.inlined.is_empty() {
            return self.return_inlined(value);
        }
        match self.unit {
            Unit::Handler { done, .. } => {
                if let Some(value) = value {
                    self.effect(value);
                }
                self.close(Target::Goto(done));
            }
            Unit::Function { result } => {
                let value = match (value, result) {
                    (Some(value), Some(ty)) => Some(self.stored_value(value, ty)),
                    (Some(value), None) => {
                        self.effect(value);
                        None
                    }
                    (None, _) => None,
                };
                self.close(Target::Return(value));
            }
            Unit::Pure => {}
        }
    }

    fn straight_arms(&mut self, arms: &[(ast::ExprId, StmtId)], otherwise: Option<StmtId>) {
        // A long chain of `else if` is lowered from its end, so that nothing recurses over it;
        // conditions with effects keep their order by nesting.
        let Some((&(condition, body), rest)) = arms.split_first() else {
            if let Some(stmt) = otherwise {
                self.statement(stmt);
            }
            return;
        };
        // Where it is decided, nothing else reads what the condition was made of.
        let mark = self.temporaries.mark();
        let cond = self.condition(condition);
        self.temporaries.restore(mark);
        self.straight_if(
            cond,
            |coder| coder.statement(body),
            |coder| coder.straight_arms(rest, otherwise),
        );
    }

    fn arms(&mut self, arms: &[(ast::ExprId, StmtId)], otherwise: Option<StmtId>, span: Span) {
        let join = self.region("end of if", span);
        for &(condition, body) in arms {
            let mark = self.temporaries.mark();
            let cond = self.condition(condition);
            let cond = self.guard(cond);
            let at = self.part("if", span);
            self.begin_at(at, Some(cond), span);
            self.temporaries.restore(mark);
            self.statement(body);
            self.close(Target::Goto(join));
            let not = self.build.not(cond);
            self.begin_at(at, Some(not), span);
        }
        if let Some(stmt) = otherwise {
            self.statement(stmt);
        }
        self.close(Target::Goto(join));
        self.begin_at(join, None, span);
    }

    /// Goes on inside the loop if the condition holds; gives the location behind the loop.
    fn loop_condition(&mut self, id: StmtId, condition: ast::ExprId, span: Span) -> model::LocId {
        self.halt_before(id, span);
        let exit = self.region("end of loop", span);
        let mark = self.temporaries.mark();
        let cond = self.condition(condition);
        let cond = self.guard(cond);
        let at = self.part("loop condition", span);
        let not = self.build.not(cond);
        self.begin_at(at, Some(not), span);
        self.close(Target::Goto(exit));
        self.begin_at(at, Some(cond), span);
        self.temporaries.restore(mark);
        exit
    }

    /// An expression for its effects only. A computation that nobody sees is left out, unless it
    /// may fault.
    pub(crate) fn effect(&mut self, id: ast::ExprId) {
        let mark = self.temporaries.mark();
        let checked = self.input.checked;
        match &checked.ast.expr(id).kind {
            ExprKind::Parenthesized(inner) | ExprKind::Print(inner) => self.effect(*inner),
            ExprKind::Step { place, by, .. } => {
                self.step(*place, *by, false);
            }
            ExprKind::Call { arguments, .. } => match checked.exprs.resolution(id) {
                Some(Resolution::Library(function)) if library::pure(function.name).is_none() => {
                    self.library_call(id, function, arguments, false);
                }
                _ => {
                    let value = self.call(id, arguments);
                    self.keep_fault(value);
                }
            },
            _ => {
                let value = self.expression(id);
                self.keep_fault(value);
            }
        }
        self.temporaries.restore(mark);
    }

    /// Evaluates a value that nobody wants, if that may fault.
    pub(crate) fn keep_fault(&mut self, value: model::ExprId) {
        if self.build.can_fault(value) {
            self.save(value);
        }
    }

    /// Gives the parameters of a handler or function their places.
    pub(crate) fn parameter(&mut self, index: usize, place: Place) {
        if let Some(slot) = self.locals.get_mut(index) {
            *slot = Some(place);
        }
    }
}
