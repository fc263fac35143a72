//! Smaller programs that still show a difference.

use model::*;

/// Takes away what it can, one thing after the other, while `shows` still holds.
pub(crate) fn shrink(program: &Program, shows: impl Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut more = true;
    while more {
        more = false;
        let mut number = 0;
        while let Some(smaller) = without(&best, number) {
            match smaller {
                Some(smaller) if shows(&smaller) => {
                    best = smaller;
                    more = true;
                }
                _ => {}
            }
            number += 1;
        }
    }
    best
}

/// The program without its thing of this number: nothing if there is none, or if that is gone.
fn without(program: &Program, number: usize) -> Option<Option<Program>> {
    let mut smaller = program.clone();
    let mut number = number;
    if number < 1 {
        return Some(smaller.start.pop().map(|_| smaller));
    }
    number -= 1;
    let never = smaller.exprs.value(Value::Bool(false), Type::Bool);
    for process in &mut smaller.processes {
        for step in &mut process.steps {
            if number < 6 {
                let before = step.clone();
                match number {
                    0 => {
                        step.guard = Some(never);
                        step.comm = None;
                        step.body.clear();
                    }
                    1 => step.body.clear(),
                    2 => step.comm = None,
                    3 if step.guard != Some(never) => step.guard = None,
                    4 => step.rank = 0,
                    5 if step.target == Target::End => step.target = Target::Goto(step.from),
                    _ => {}
                }
                let changed = *step != before;
                return Some(changed.then_some(smaller));
            }
            number -= 6;
        }
        if number < process.escapes.len() {
            process.escapes.remove(number);
            return Some(Some(smaller));
        }
        number -= process.escapes.len();
        for location in &mut process.locations {
            if number == 0 {
                let open = location.mode == Mode::Open;
                location.mode = Mode::Open;
                return Some((!open).then_some(smaller));
            }
            number -= 1;
        }
    }
    None
}

/// What is left of a program, for people.
pub(crate) fn show(program: &Program) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    let never = |guard: ExprId| program.exprs.constant(guard) == Some(&Value::Bool(false));
    let _ = writeln!(text, "{:?}", program.composition);
    for start in &program.start {
        let args: Vec<String> = start.args.iter().map(|&id| expr(program, id)).collect();
        let _ = writeln!(text, "run {:?} {args:?}", start.process);
    }
    for (number, process) in program.processes.iter().enumerate() {
        let _ = writeln!(
            text,
            "process {number} {} ({} locals)",
            process.name,
            process.locals.len()
        );
        for location in &process.locations {
            if location.mode != Mode::Open {
                let _ = writeln!(text, "  {} {:?}", location.name, location.mode);
            }
        }
        for (id, step) in process.steps.iter().enumerate() {
            if step.guard.is_some_and(never) {
                continue;
            }
            let guard = step.guard.map(|id| expr(program, id));
            let comm = step.comm.as_ref().map(|comm| match comm {
                Comm::Send {
                    channel,
                    message,
                    sorted,
                    lossy,
                } => format!(
                    "{}!{} sorted {sorted} lossy {lossy}",
                    expr(program, *channel),
                    expr(program, message[0])
                ),
                Comm::Receive {
                    channel,
                    patterns,
                    anywhere,
                    keep,
                } => format!(
                    "{}?{} anywhere {anywhere} keep {keep}",
                    expr(program, *channel),
                    match &patterns[0] {
                        Pattern::Bind(to) => place(program, to),
                        Pattern::Match(id) => format!("={}", expr(program, *id)),
                        Pattern::Any => "_".into(),
                    }
                ),
                Comm::Barrier(_) => "barrier".into(),
            });
            let body: Vec<String> = step
                .body
                .iter()
                .map(|stmt| match stmt {
                    Stmt::Assign(to, value) => {
                        format!("{} = {}", place(program, to), expr(program, *value))
                    }
                    Stmt::Assert { cond, check, .. } => {
                        format!("assert {check:?} {}", expr(program, *cond))
                    }
                    other => format!("{other:?}"),
                })
                .collect();
            let _ = writeln!(
                text,
                "  {id}: l{} -> {:?} rank {} guard {guard:?} comm {comm:?} body {body:?}",
                step.from.index(),
                step.target,
                step.rank
            );
        }
        for escape in &process.escapes {
            let _ = writeln!(text, "  {escape:?}");
        }
    }
    text
}

fn place(program: &Program, place: &Place) -> String {
    let root = match &place.root {
        Root::Remote {
            instance,
            process,
            local,
        } => {
            format!("remote({}, {process:?}, {local})", expr(program, *instance))
        }
        other => format!("{other:?}"),
    };
    let path: Vec<String> = place
        .path
        .iter()
        .map(|step| match step {
            Projection::Index(id) => format!("[{}]", expr(program, *id)),
            other => format!("{other:?}"),
        })
        .collect();
    format!("{root}{}", path.concat())
}

/// An expression, for people.
pub(crate) fn expr(program: &Program, id: ExprId) -> String {
    let sub = |id: &ExprId| expr(program, *id);
    match program.exprs.get(id) {
        Expr::Const(value) => format!("{value:?}"),
        Expr::Load(loaded) => place(program, loaded),
        Expr::Binary(op, a, b) => format!("({} {op:?} {})", sub(a), sub(b)),
        Expr::Convert(inner) => sub(inner),
        other => format!("{other:?}"),
    }
}
