//! Which processes are called or created by others.

use std::collections::HashSet;

use crate::ast::{Call, Declaration, Process, ProcessKind, Script};
use crate::types::Type;

/// The processes that nothing in the script calls or creates: calls of those without parameters, and the
/// positions of those with parameters, which other scripts may call. Processes that take a tool are left out:
/// only a process that holds a tool can pass it on.
pub(super) fn by_nobody(script: &Script) -> (Vec<Call>, Vec<usize>) {
    let mut called = HashSet::new();
    for process in &script.processes {
        names(&process.body, &mut called);
    }
    let (mut first, mut by_others) = (Vec::new(), Vec::new());
    for (index, process) in script.processes.iter().enumerate() {
        let is_tool = |formal: &Declaration| match Type::of_term(&formal.ty) {
            Type::Apply(name, _) => script.tools.iter().any(|tool| tool.name == name),
            _ => false,
        };
        if called.contains(process.name.as_str()) {
            continue;
        }
        if process.formals.is_empty() {
            first.push(Call {
                name: process.name.clone(),
                args: Vec::new(),
                span: process.name_span,
            });
        } else if !process.formals.iter().any(is_tool) {
            by_others.push(index);
        }
    }
    (first, by_others)
}

/// Adds the names of the processes that a process calls or creates.
fn names<'s>(process: &'s Process, found: &mut HashSet<&'s str>) {
    match &process.kind {
        ProcessKind::Atom(_) => {}
        ProcessKind::Call(call) | ProcessKind::Create { call, .. } => {
            found.insert(&call.name);
        }
        ProcessKind::Sequence(parts) | ProcessKind::Choice(parts) | ProcessKind::Merge(parts) => {
            parts.iter().for_each(|part| names(part, found));
        }
        ProcessKind::Biased {
            second_best: first,
            best: second,
        }
        | ProcessKind::Iteration(first, second)
        | ProcessKind::Disrupt(first, second) => {
            names(first, found);
            names(second, found);
        }
        ProcessKind::If(_, then, otherwise) => {
            names(then, found);
            otherwise
                .iter()
                .for_each(|otherwise| names(otherwise, found));
        }
        ProcessKind::Let(_, body) => names(body, found),
    }
}
