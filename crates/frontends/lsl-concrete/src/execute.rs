//! Statements.
//!
//! Loops keep nothing but variables, so a `jump` to a label anywhere in a body is a new walk from
//! the body's beginning in which nothing happens until the label is reached.

use lsl::ast::{LabelId, StmtId, StmtKind};

use crate::halt::Halt;
use crate::machine::Machine;
use crate::operators::truth;
use crate::value::Value;

/// How a statement ends.
enum Flow {
    Next,
    Return(Option<Value>),
    Jump(LabelId),
}

impl Machine<'_> {
    /// Runs the body of a function or handler; the value that it returns.
    pub(crate) fn execute_body(&mut self, body: StmtId) -> Result<Option<Value>, Halt> {
        let mut seek = None;
        loop {
            match self.execute(body, &mut seek)? {
                Flow::Next => return Ok(None),
                Flow::Return(value) => return Ok(value),
                Flow::Jump(label) => {
                    self.count()?;
                    seek = Some(label);
                }
            }
        }
    }

    /// Runs a statement. With a label to seek, nothing happens before it.
    fn execute(&mut self, id: StmtId, seek: &mut Option<LabelId>) -> Result<Flow, Halt> {
        let script = self.script;
        let kind = &script.checked.ast.stmt(id).kind;
        if let Some(label) = *seek
            && !self.holds_label(id, label)
        {
            return Ok(Flow::Next);
        }
        self.count()?;
        match kind {
            StmtKind::Error | StmtKind::Empty => {}
            StmtKind::Block(statements) => {
                for &statement in statements {
                    match self.execute(statement, seek)? {
                        Flow::Next => {}
                        other => return Ok(other),
                    }
                }
            }
            StmtKind::Expr(expr) => {
                self.evaluate(*expr)?;
            }
            StmtKind::Declare { ty, value, .. } => {
                let value = match value {
                    Some(value) => self.evaluate(*value)?.stored(*ty),
                    None => Value::default_of(*ty),
                };
                if let Some(local) = script.checked.declared(id) {
                    self.set_local(local, value);
                }
            }
            StmtKind::If { arms, otherwise } => {
                if let Some(label) = *seek {
                    let inner = arms.iter().map(|&(_, then)| then).chain(*otherwise);
                    for statement in inner {
                        if self.holds_label(statement, label) {
                            return self.execute(statement, seek);
                        }
                    }
                    return Ok(Flow::Next);
                }
                for &(condition, then) in arms {
                    if self.condition(condition)? {
                        return self.execute(then, seek);
                    }
                }
                if let Some(otherwise) = otherwise {
                    return self.execute(*otherwise, seek);
                }
            }
            StmtKind::While { condition, body } => {
                while seek.is_some() || self.condition(*condition)? {
                    match self.execute(*body, seek)? {
                        Flow::Next => self.count()?,
                        other => return Ok(other),
                    }
                }
            }
            StmtKind::DoWhile { body, condition } => loop {
                match self.execute(*body, seek)? {
                    Flow::Next => self.count()?,
                    other => return Ok(other),
                }
                if !self.condition(*condition)? {
                    break;
                }
            },
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => {
                if seek.is_none() {
                    for &expr in before {
                        self.evaluate(expr)?;
                    }
                }
                while seek.is_some() || self.condition(*condition)? {
                    match self.execute(*body, seek)? {
                        Flow::Next => self.count()?,
                        other => return Ok(other),
                    }
                    for &expr in after {
                        self.evaluate(expr)?;
                    }
                }
            }
            StmtKind::Label(_) => {
                if *seek == script.checked.label(id) {
                    *seek = None;
                }
            }
            StmtKind::Jump(_) => {
                let label = script.checked.label(id);
                return label.map(Flow::Jump).ok_or(Halt::Lost("a jump to nowhere"));
            }
            StmtKind::Return(value) => {
                let value = value.map(|value| self.evaluate(value)).transpose()?;
                return Ok(Flow::Return(value));
            }
            StmtKind::State(_) => {
                let target = script.checked.target_state(id);
                let target = target.ok_or(Halt::Lost("there is no such state"))?;
                return Err(Halt::State(target));
            }
        }
        Ok(Flow::Next)
    }

    fn condition(&mut self, id: lsl::ast::ExprId) -> Result<bool, Halt> {
        Ok(truth(&self.evaluate(id)?))
    }

    /// Whether the statement is the label, or holds it.
    fn holds_label(&self, id: StmtId, label: LabelId) -> bool {
        match &self.script.checked.ast.stmt(id).kind {
            StmtKind::Label(_) => self.script.checked.label(id) == Some(label),
            StmtKind::Block(statements) => statements.iter().any(|&s| self.holds_label(s, label)),
            StmtKind::If { arms, otherwise } => {
                let mut inner = arms.iter().map(|&(_, then)| then).chain(*otherwise);
                inner.any(|statement| self.holds_label(statement, label))
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => self.holds_label(*body, label),
            _ => false,
        }
    }
}
