//! A script with statements inserted.

use crate::ast::{Ast, StmtId, StmtKind};

/// Statements around one of the script.
#[derive(Default)]
pub(super) struct Around {
    pub(super) before: Vec<StmtId>,
    pub(super) after: Vec<StmtId>,
}

/// The script, with statements around its own. `around` adds them to the new tree, for a statement of
/// the unit (a handler, or behind them a function) with this number. A body is a statement too.
pub(super) fn insert(
    script: &Ast,
    ast: Ast,
    around: &mut dyn FnMut(&mut Ast, usize, StmtId) -> Around,
) -> Ast {
    let mut inserter = Inserter {
        script,
        ast,
        unit: 0,
        around,
    };
    for id in script.handler_ids() {
        inserter.unit = id.index();
        let body = inserter.statement(script.handler(id).body);
        inserter.ast.handlers[id.index()].body = body;
    }
    for id in script.function_ids() {
        inserter.unit = script.handlers.len() + id.index();
        let body = inserter.statement(script.function(id).body);
        inserter.ast.functions[id.index()].body = body;
    }
    inserter.ast
}

struct Inserter<'a> {
    script: &'a Ast,
    ast: Ast,
    unit: usize,
    around: &'a mut dyn FnMut(&mut Ast, usize, StmtId) -> Around,
}

impl Inserter<'_> {
    fn statement(&mut self, id: StmtId) -> StmtId {
        let mut row = Vec::new();
        self.row(id, &mut row);
        match row[..] {
            [one] => one,
            _ => {
                let span = self.script.stmt(id).span;
                self.ast.add_stmt(StmtKind::Block(row.into()), span)
            }
        }
    }

    /// Appends a statement with what is inserted around it. A declaration stays in the block around it.
    fn row(&mut self, id: StmtId, row: &mut Vec<StmtId>) {
        let Around { before, after } = (self.around)(&mut self.ast, self.unit, id);
        row.extend(before);
        row.push(self.inside(id));
        row.extend(after);
    }

    fn inside(&mut self, id: StmtId) -> StmtId {
        let stmt = self.script.stmt(id).clone();
        let kind = match stmt.kind {
            StmtKind::Block(body) => {
                let mut row = Vec::with_capacity(body.len());
                for &stmt in &body {
                    self.row(stmt, &mut row);
                }
                StmtKind::Block(row.into())
            }
            StmtKind::If { arms, otherwise } => StmtKind::If {
                arms: arms
                    .iter()
                    .map(|&(condition, body)| (condition, self.statement(body)))
                    .collect(),
                otherwise: otherwise.map(|stmt| self.statement(stmt)),
            },
            StmtKind::While { condition, body } => StmtKind::While {
                condition,
                body: self.statement(body),
            },
            StmtKind::DoWhile { body, condition } => StmtKind::DoWhile {
                body: self.statement(body),
                condition,
            },
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => StmtKind::For {
                before,
                condition,
                after,
                body: self.statement(body),
            },
            other => other,
        };
        self.ast.add_stmt(kind, stmt.span)
    }
}
