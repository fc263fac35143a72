//! Which processes are called or created by others.

use std::collections::HashSet;

use crate::ast::{Call, Process, ProcessKind, Script};

/// Calls of the processes that nothing in the script calls or creates, of those without parameters.
pub(super) fn by_nobody(script: &Script) -> Vec<Call> {
    let mut called = HashSet::new();
    for process in &script.processes {
        names(&process.body, &mut called);
    }
    let free = script
        .processes
        .iter()
        .filter(|process| process.formals.is_empty() && !called.contains(process.name.as_str()));
    free.map(|process| Call {
        name: process.name.clone(),
        args: Vec::new(),
        span: process.name_span,
    })
    .collect()
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
