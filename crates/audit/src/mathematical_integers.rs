//! Mathematical integers that nothing but such integers ever depends on.
//!
//! What is done with them need not be exact: sums and products of the low bits are the low bits of
//! sums and products, and nobody looks at the rest.

use std::collections::BTreeSet;

use model::{
    Binary, Choice, Comm, Expr, ExprId, GlobalId, Pattern, Place, Program, Root, Step, Stmt,
    Target, Type, Unary,
};

/// The global mathematical integers on which something else depends: a condition, a choice, a
/// message, a variable of another kind, what is asked, or those that are named.
pub(crate) fn observed(
    program: &Program,
    asked: &[ExprId],
    named: BTreeSet<GlobalId>,
) -> BTreeSet<GlobalId> {
    let mut reading = Reading {
        program,
        flows: Vec::new(),
        looked_at: asked.to_vec(),
    };
    for observer in &program.observers {
        reading.body(&observer.body);
    }
    for process in &program.processes {
        reading.looked_at.extend(process.provided);
        reading.looked_at.extend(process.priority);
        for step in &process.steps {
            reading.step(step);
        }
    }
    let constraints = program.state_constraint.iter().chain(&program.initial);
    reading.looked_at.extend(constraints);
    let mut observed = named;
    let mut known = BTreeSet::new();
    while let Some(id) = reading.looked_at.pop() {
        if known.insert(id) {
            observed.extend(loaded(program, id));
            let waiting = &mut reading.looked_at;
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    loop {
        let before = observed.len();
        for (ledger, sources) in &reading.flows {
            if observed.contains(ledger) {
                observed.extend(sources);
            }
        }
        if observed.len() == before {
            return observed;
        }
    }
}

/// What is looked at, and what flows from one ledger to another.
struct Reading<'p> {
    program: &'p Program,
    flows: Vec<(GlobalId, BTreeSet<GlobalId>)>,
    looked_at: Vec<ExprId>,
}

impl Reading<'_> {
    fn step(&mut self, step: &Step) {
        self.looked_at.extend(step.guard);
        for choice in &step.binds {
            self.choice(choice);
        }
        match &step.comm {
            Some(Comm::Send {
                channel, message, ..
            }) => {
                self.looked_at.push(*channel);
                self.looked_at.extend(message);
            }
            Some(Comm::Receive {
                channel, patterns, ..
            }) => {
                self.looked_at.push(*channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Match(value) => self.looked_at.push(*value),
                        Pattern::Bind(place) => place.operands(|id| self.looked_at.push(id)),
                        Pattern::Any => {}
                    }
                }
            }
            Some(Comm::Barrier(_)) | None => {}
        }
        self.body(&step.body);
        match &step.target {
            Target::Call { args, .. } => self.looked_at.extend(args),
            Target::Return(value) => self.looked_at.extend(value),
            Target::Goto(_) | Target::End => {}
        }
    }

    fn choice(&mut self, choice: &Choice) {
        choice.set.operands(&mut |id| self.looked_at.push(id));
        choice.place.operands(|id| self.looked_at.push(id));
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let flow = ledger(self.program, place).zip(summands(self.program, *value));
                    match flow {
                        Some(flow) => self.flows.push(flow),
                        None => self.looked_at.push(*value),
                    }
                    place.operands(|id| self.looked_at.push(id));
                }
                Stmt::Choose(choice) => self.choice(choice),
                Stmt::If(cond, then, otherwise) => {
                    self.looked_at.push(*cond);
                    self.body(then);
                    self.body(otherwise);
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) | Stmt::Free(cond) => {
                    self.looked_at.push(*cond);
                }
                Stmt::Emit { args, .. } | Stmt::Spawn { args, .. } => {
                    self.looked_at.extend(args);
                }
                Stmt::Raise(_) | Stmt::NewChannel { .. } | Stmt::New { .. } => {}
            }
        }
    }
}

/// The whole global mathematical integer that a place is.
pub(crate) fn ledger(program: &Program, place: &Place) -> Option<GlobalId> {
    match place.root {
        Root::Global(id)
            if place.path.is_empty() && program.globals[id.index()].ty == Type::Mathint =>
        {
            Some(id)
        }
        _ => None,
    }
}

fn loaded(program: &Program, id: ExprId) -> Option<GlobalId> {
    match program.exprs.get(id) {
        Expr::Load(place) => ledger(program, place),
        _ => None,
    }
}

/// Whether low bits of a result are made of low bits of operands alone.
fn is_ring(program: &Program, id: ExprId) -> bool {
    *program.exprs.ty(id) == Type::Mathint
        && matches!(
            program.exprs.get(id),
            Expr::Const(_)
                | Expr::Load(_)
                | Expr::Unary(Unary::Neg, _)
                | Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..)
        )
}

/// The ledgers that a sum is made of; `None` if it is no plain sum.
fn summands(program: &Program, id: ExprId) -> Option<BTreeSet<GlobalId>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        match program.exprs.get(id) {
            // Something else as a mathematical integer is exact as it is.
            Expr::Convert(inner) if reads_no_ledger(program, *inner) => {}
            Expr::Load(_) => found.extend(loaded(program, id)),
            _ if is_ring(program, id) => {
                program.exprs.operands(id, |operand| waiting.push(operand));
            }
            _ => return None,
        }
    }
    Some(found)
}

fn reads_no_ledger(program: &Program, id: ExprId) -> bool {
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        if loaded(program, id).is_some() {
            return false;
        }
        program.exprs.operands(id, |operand| waiting.push(operand));
    }
    true
}
