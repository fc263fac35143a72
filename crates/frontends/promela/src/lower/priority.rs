//! Priorities of processes.
//!
//! SPIN 6: of the processes that can move, only those of the highest priority may. Where a model
//! says anything about priorities, the priority of each instance is an element of one global
//! array, by its number, so that other instances can change it. It is 0 where nobody is.

use model::{
    Binary, Expr as Model, ExprId, Place as Cell, Projection, Stmt, Type, Value, ValueSet,
};

use super::{INT, Lowering, Place};
use crate::ast::{Expr, ExprKind, Item, Sequence, Statement, StatementKind};

/// The priorities of a model.
#[derive(Default)]
pub(super) struct Priorities {
    /// The array and its length, if there are any.
    array: Option<(model::GlobalId, u32)>,
}

const PRIORITY: Type = Type::Int {
    bits: 8,
    signed: false,
};

impl Lowering<'_> {
    /// Looks whether the model says anything about priorities.
    pub(super) fn survey_priorities(&mut self) {
        let mentioned = self
            .processes
            .iter()
            .any(|process| process.ast.priority.is_some() || mentions(&process.ast.body));
        if !mentioned {
            return;
        }
        let length = self.instance_bound();
        let ty = Type::Array(Box::new(PRIORITY), length);
        let id = self.hidden_global("priority", ty, model::VariableKind::State);
        self.program.per_instance.push(id);
        self.priorities.array = Some((id, length));
        for process in 0..self.processes.len() {
            let me = self.program.exprs.add(Model::Me, Type::Instance);
            let me = self.convert(me, INT);
            let own = self.priority_of(me);
            let id = self.processes[process].id;
            self.program.processes[id.index()].priority = Some(own);
        }
    }

    /// Gives the instances that run from the start their priorities.
    pub(super) fn start_priorities(&mut self) {
        let Some((id, length)) = self.priorities.array else {
            return;
        };
        let mut values = Vec::new();
        for process in 0..self.processes.len() {
            let ast = self.processes[process].ast;
            let priority = ast.priority.as_ref();
            let priority = priority.map_or(1, |e| i64::from(self.positive(e, 255)));
            for _ in 0..self.processes[process].active {
                values.push(Value::Int(priority.into()));
            }
        }
        values.resize(length as usize, Value::Int(0));
        let ty = Type::Array(Box::new(PRIORITY), length);
        let value = self.program.exprs.value(Value::Tuple(values.into()), ty);
        self.program.globals[id.index()].init = Some(ValueSet::One(value));
    }

    fn priority_cell(&self, instance: ExprId) -> Option<Cell> {
        let (id, _) = self.priorities.array?;
        let mut cell = Cell::global(id);
        cell.path.push(Projection::Index(instance));
        Some(cell)
    }

    /// Whether somebody has a number.
    fn is_there(&mut self, instance: ExprId) -> ExprId {
        let zero = self.zero();
        let count = self.program.exprs.add(Model::InstanceCount, INT);
        let exprs = &mut self.program.exprs;
        let low = exprs.binary(Binary::Le, zero, instance);
        let high = exprs.binary(Binary::Lt, instance, count);
        exprs.and(low, high)
    }

    /// `get_priority`: 0 if nobody has the number, 1 where the model does not use priorities.
    pub(super) fn priority_at(&mut self, instance: ExprId) -> ExprId {
        if self.priorities.array.is_none() {
            return self.int(1);
        }
        let there = self.is_there(instance);
        let priority = self.priority_of(instance);
        let zero = self.zero();
        self.program
            .exprs
            .add(Model::Ite(there, priority, zero), INT)
    }

    /// The priority of an instance that is there; 1 where the model does not use priorities.
    pub(super) fn priority_of(&mut self, instance: ExprId) -> ExprId {
        match self.priority_cell(instance) {
            Some(cell) => {
                let load = self.program.exprs.load(cell, PRIORITY);
                self.convert(load, INT)
            }
            None => self.int(1),
        }
    }

    /// Sets the priority of an instance, if it is there.
    pub(super) fn set_priority(&mut self, instance: ExprId, value: ExprId, body: &mut Vec<Stmt>) {
        if let Some(cell) = self.priority_cell(instance) {
            let there = self.is_there(instance);
            body.push(Stmt::If(there, vec![Stmt::Assign(cell, value)], Vec::new()));
        }
    }

    /// Sets the priority of the instance that is started next.
    pub(super) fn start_priority(
        &mut self,
        given: Option<&Expr>,
        place: Place,
        body: &mut Vec<Stmt>,
    ) {
        if self.priorities.array.is_none() {
            return;
        }
        // What the type says holds for its active instances only.
        let value = match given {
            Some(e) => self.number(e, place),
            None => self.int(1),
        };
        let number = self.program.exprs.add(Model::InstanceCount, INT);
        if let Some(cell) = self.priority_cell(number) {
            body.push(Stmt::Assign(cell, value));
        }
    }
}

/// Whether a body sets, asks for or gives priorities.
fn mentions(sequence: &Sequence) -> bool {
    sequence
        .items
        .iter()
        .any(|item| matches!(item, Item::Statement(statement) if mentions_in(statement)))
}

fn mentions_in(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::SetPriority(..) => true,
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().any(mentions),
        StatementKind::ForRange(_, _, _, body)
        | StatementKind::ForIn(_, _, body)
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::Call(body) => mentions(body),
        StatementKind::Unless(a, b) => mentions_in(a) || mentions_in(b),
        StatementKind::Labelled(_, Some(inner)) => mentions_in(inner),
        StatementKind::Condition(e) | StatementKind::Assert(e) => asks(e),
        StatementKind::Assign(target, e) => asks(e) || &*target.parts[0].0.name == "_priority",
        _ => false,
    }
}

fn asks(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Priority(_) => true,
        ExprKind::Run { priority, .. } => priority.is_some(),
        ExprKind::Reference(reference) => &*reference.parts[0].0.name == "_priority",
        _ => e.children().into_iter().any(asks),
    }
}
