//! Global variables that nothing writes: they have their first values in every state.
//!
//! An engine may put the values of such variables into a program before it looks at it, so an
//! invariant says nothing of them. That nothing writes them is plain to see in the text of the
//! program.

use std::collections::HashSet;

use model::{
    Comm, GlobalId, Pattern, Place, Program, Root, Step, Stmt, Target, Type, ValueSet, VariableKind,
};

use crate::Rejected;
use crate::gates::Gates;
use crate::state::State;
use crate::symbol::Symbol;

/// The globals that keep their first value, with its expression; none stands for the zero of the
/// type.
pub(crate) fn unwritten(program: &Program) -> Vec<(GlobalId, Option<model::ExprId>)> {
    let mut written = Written::default();
    let steps = program.processes.iter().flat_map(|process| &process.steps);
    steps.for_each(|step| written.step(step));
    for observer in &program.observers {
        written.body(&observer.body);
    }
    if written.anywhere {
        return Vec::new();
    }
    let globals = program.globals.iter().enumerate();
    let kept = globals.filter_map(|(index, variable)| {
        let id = GlobalId::new(index);
        if written.globals.contains(&id)
            || variable.kind == VariableKind::Input
            || !is_plain(program, &variable.ty)
        {
            return None;
        }
        match &variable.init {
            None if variable.kind == VariableKind::Frozen => None,
            None => Some((id, None)),
            Some(ValueSet::One(value)) => {
                program.exprs.constant(*value)?;
                Some((id, Some(*value)))
            }
            Some(_) => None,
        }
    });
    kept.collect()
}

/// Puts the first values of variables that nothing writes into a state.
pub(crate) fn keep_first_values(
    gates: &Gates,
    program: &Program,
    kept: &[(GlobalId, Option<model::ExprId>)],
    state: &mut State,
) -> Result<(), Rejected> {
    for &(id, value) in kept {
        let ty = &program.globals[id.index()].ty;
        let value = match value.and_then(|value| program.exprs.constant(value)) {
            Some(value) => gates.value(value)?,
            None => gates.zero(program, ty)?,
        };
        state.globals[id.index()] = match value {
            Symbol::Number(number) => Symbol::Number(gates.wrap(&number, ty)),
            other => other,
        };
    }
    Ok(())
}

/// Whether a type is made of numbers and truth values.
fn is_plain(program: &Program, ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int { .. } | Type::Range { .. } | Type::Enum(_) => true,
        Type::Array(item, _) => is_plain(program, item),
        Type::Record(id) => {
            let fields = &program.records[id.index()].fields;
            fields.iter().all(|(_, ty)| is_plain(program, ty))
        }
        _ => false,
    }
}

#[derive(Default)]
struct Written {
    globals: HashSet<GlobalId>,
    /// Something is written that has no name.
    anywhere: bool,
}

impl Written {
    fn place(&mut self, place: &Place) {
        match place.root {
            Root::Global(id) => {
                self.globals.insert(id);
            }
            Root::Own(_) | Root::Frame(_) => {}
            _ => self.anywhere = true,
        }
    }

    fn step(&mut self, step: &Step) {
        for choice in &step.binds {
            self.place(&choice.place);
        }
        if let Some(Comm::Receive { patterns, .. }) = &step.comm {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    self.place(place);
                }
            }
        }
        self.body(&step.body);
        if let Target::Call {
            result: Some(place),
            ..
        } = &step.target
        {
            self.place(place);
        }
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, _) => self.place(place),
                Stmt::Choose(choice) => self.place(&choice.place),
                Stmt::If(_, then, otherwise) => {
                    self.body(then);
                    self.body(otherwise);
                }
                Stmt::Assert { .. } | Stmt::Assume(_) | Stmt::Raise(_) | Stmt::Emit { .. } => {}
                // These are refused where they are met.
                Stmt::Spawn { .. } | Stmt::NewChannel { .. } | Stmt::New { .. } | Stmt::Free(_) => {
                    self.anywhere = true;
                }
            }
        }
    }
}
