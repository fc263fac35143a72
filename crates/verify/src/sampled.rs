//! Which choices were sampled where only samples were looked at.

use model::{Choice, Comm, Process, Program, Stmt};
use source::Span;

/// What stands behind a verdict that is about samples only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sampled {
    /// What was chosen from representatives, and where the script asks for it.
    pub choices: Vec<(String, Span)>,
    /// Whether an engine that looks at all values had no time left.
    pub cut_short: bool,
}

/// The choices of a program for which representatives stand, each once.
pub(crate) fn choices(program: &Program) -> Vec<(String, Span)> {
    let mut found = Vec::new();
    for process in &program.processes {
        for step in &process.steps {
            let mut sampled = Vec::new();
            step.binds
                .iter()
                .filter(|choice| choice.sample.is_some())
                .for_each(|choice| sampled.push(choice));
            in_body(&step.body, &mut sampled);
            let span = match &step.comm {
                Some(Comm::Send { channel, .. }) if step.span.is_none() => {
                    receiver(program, process, *channel)
                }
                _ => step.span,
            };
            for choice in sampled {
                add(program, choice, span, &mut found);
            }
        }
    }
    for observer in &program.observers {
        let mut sampled = Vec::new();
        in_body(&observer.body, &mut sampled);
        for choice in sampled {
            add(program, choice, Span::NONE, &mut found);
        }
    }
    found
}

fn in_body<'p>(body: &'p [Stmt], found: &mut Vec<&'p Choice>) {
    for stmt in body {
        match stmt {
            Stmt::Choose(choice) if choice.sample.is_some() => found.push(choice),
            Stmt::If(_, yes, no) => {
                in_body(yes, found);
                in_body(no, found);
            }
            _ => {}
        }
    }
}

/// Where somebody else takes what the world sends.
fn receiver(program: &Program, sender: &Process, wanted: model::ExprId) -> Span {
    let others = program
        .processes
        .iter()
        .filter(|p| !std::ptr::eq(*p, sender));
    others
        .flat_map(|process| &process.steps)
        .find(
            |step| matches!(&step.comm, Some(Comm::Receive { channel, .. }) if *channel == wanted),
        )
        .map_or(Span::NONE, |step| step.span)
}

fn add(program: &Program, choice: &Choice, span: Span, found: &mut Vec<(String, Span)>) {
    let (what, span) = match choice.outside {
        Some(id) => {
            let value = &program.outside[id.index()];
            let span = if value.span.is_none() {
                span
            } else {
                value.span
            };
            (value.fact.clone(), span)
        }
        None => (choice.what.clone(), span),
    };
    match found.iter_mut().find(|(known, _)| *known == what) {
        Some((_, known)) if known.is_none() => *known = span,
        Some(_) => {}
        None => found.push((what, span)),
    }
}
