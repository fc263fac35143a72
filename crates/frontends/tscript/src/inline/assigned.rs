//! Which names a process assigns to.

use std::collections::HashSet;

use crate::ast::{ProcessDef, ProcessKind, Term, TermKind, Word};

/// The names that a process assigns to.
pub(super) fn assigned(definition: &ProcessDef) -> HashSet<&str> {
    let mut out = HashSet::new();
    let mut waiting = vec![&definition.body];
    while let Some(process) = waiting.pop() {
        source::limits::check();
        match &process.kind {
            ProcessKind::Atom(atom) => {
                if atom.word == Word::Assign
                    && let TermKind::Var { name, .. } = &atom.args[0].kind
                {
                    out.insert(name.as_str());
                }
                atom.args.iter().for_each(|arg| assigned_in(arg, &mut out));
            }
            ProcessKind::Call(call) => call.args.iter().for_each(|arg| assigned_in(arg, &mut out)),
            ProcessKind::Create { call, pid } => {
                call.args
                    .iter()
                    .chain(pid)
                    .for_each(|arg| assigned_in(arg, &mut out));
            }
            ProcessKind::Sequence(all) | ProcessKind::Choice(all) | ProcessKind::Merge(all) => {
                waiting.extend(all);
            }
            ProcessKind::Biased {
                second_best: a,
                best: b,
            }
            | ProcessKind::Iteration(a, b)
            | ProcessKind::Disrupt(a, b) => waiting.extend([&**a, &**b]),
            ProcessKind::If(_, then, otherwise) => {
                waiting.push(then);
                waiting.extend(otherwise.as_deref());
            }
            ProcessKind::Let(_, body) => waiting.push(body),
        }
    }
    out
}

/// The variables in a term that get a value.
fn assigned_in<'t>(term: &'t Term, out: &mut HashSet<&'t str>) {
    match &term.kind {
        TermKind::Var { name, result: true } => {
            out.insert(name);
        }
        TermKind::Apply(_, all) | TermKind::List(all) => {
            all.iter().for_each(|inner| assigned_in(inner, out));
        }
        _ => {}
    }
}
