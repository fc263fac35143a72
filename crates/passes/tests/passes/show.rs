//! Programs as text, for failures of tests.

use std::fmt::Write;

use model::{
    Choice, Comm, Expr, ExprId, Pattern, Place, Program, Projection, Root, Stmt, Target, ValueSet,
};

/// The whole program.
pub(crate) fn program(p: &Program) -> String {
    let mut t = String::new();
    for (i, g) in p.globals.iter().enumerate() {
        let init = g.init.as_ref().map(|s| set(p, s));
        let _ = writeln!(t, "g{i}: {:?} {:?} = {init:?}", g.ty, g.kind);
    }
    for o in &p.observers {
        let _ = writeln!(t, "observer {}", body(p, &o.body));
    }
    for (i, process) in p.processes.iter().enumerate() {
        let provided = process.provided.map(|e| expr(p, e));
        let _ = writeln!(
            t,
            "process {i} on_fault {:?} provided {provided:?} escapes {:?} locals {:?}",
            process.on_fault,
            process.escapes,
            process
                .locals
                .iter()
                .map(|l| (&l.ty, &l.init))
                .collect::<Vec<_>>()
        );
        for (l, location) in process.locations.iter().enumerate() {
            let _ = write!(
                t,
                "  l{l} {:?}{}",
                location.mode,
                if location.end { " end" } else { "" }
            );
        }
        let _ = writeln!(t);
        for (s, step) in process.steps.iter().enumerate() {
            let binds: Vec<_> = step.binds.iter().map(|c| choice(p, c)).collect();
            let guard = step.guard.map_or("-".into(), |g| expr(p, g));
            let _ = writeln!(
                t,
                "  s{s}: l{} r{} c{} {binds:?} [{guard}] {} {} -> {}",
                step.from.0,
                step.rank,
                step.class,
                step.comm.as_ref().map_or(String::new(), |c| comm(p, c)),
                body(p, &step.body),
                target(p, &step.target)
            );
        }
    }
    let starts: Vec<_> = p.start.iter().map(|s| s.process.0).collect();
    let _ = writeln!(
        t,
        "start {starts:?} {:?} fairness {:?}",
        p.composition, p.fairness
    );
    t
}

fn target(p: &Program, target: &Target) -> String {
    match target {
        Target::Goto(to) => format!("l{}", to.0),
        Target::Call {
            args, result, then, ..
        } => format!(
            "call({:?}) {:?} then l{}",
            args.iter().map(|&a| expr(p, a)).collect::<Vec<_>>(),
            result.as_ref().map(|r| place(p, r)),
            then.0
        ),
        Target::Return(value) => format!("return {:?}", value.map(|v| expr(p, v))),
        Target::End => "end".into(),
    }
}

fn comm(p: &Program, comm: &Comm) -> String {
    match comm {
        Comm::Send {
            channel,
            message,
            lossy,
            ..
        } => format!(
            "send {} {:?} lossy {lossy}",
            expr(p, *channel),
            message.iter().map(|&m| expr(p, m)).collect::<Vec<_>>()
        ),
        Comm::Receive {
            channel,
            patterns,
            keep,
            ..
        } => format!(
            "receive {} {:?} keep {keep}",
            expr(p, *channel),
            patterns
                .iter()
                .map(|pattern| match pattern {
                    Pattern::Bind(b) => place(p, b),
                    Pattern::Match(m) => format!("={}", expr(p, *m)),
                    Pattern::Any => "_".into(),
                })
                .collect::<Vec<_>>()
        ),
        Comm::Barrier(b) => format!("barrier {}", b.0),
    }
}

fn choice(p: &Program, c: &Choice) -> String {
    format!("{}∈{}", place(p, &c.place), set(p, &c.set))
}

fn set(p: &Program, s: &ValueSet) -> String {
    match s {
        ValueSet::One(a) => format!("{{{}}}", expr(p, *a)),
        ValueSet::Between(a, b) => format!("{}..{}", expr(p, *a), expr(p, *b)),
        ValueSet::All(ty) => format!("all {ty:?}"),
        other => format!("{other:?}"),
    }
}

fn body(p: &Program, stmts: &[Stmt]) -> String {
    let all: Vec<_> = stmts
        .iter()
        .map(|stmt| match stmt {
            Stmt::Assign(a, v) => format!("{} := {}", place(p, a), expr(p, *v)),
            Stmt::Choose(c) => format!("choose {}", choice(p, c)),
            Stmt::If(c, a, b) => {
                format!("if {} {} else {}", expr(p, *c), body(p, a), body(p, b))
            }
            Stmt::Assert { cond, .. } => format!("assert {}", expr(p, *cond)),
            Stmt::Assume(c) => format!("assume {}", expr(p, *c)),
            Stmt::Emit { args, .. } => {
                format!(
                    "emit {:?}",
                    args.iter().map(|&a| expr(p, a)).collect::<Vec<_>>()
                )
            }
            other => format!("{other:?}"),
        })
        .collect();
    format!("{{{}}}", all.join("; "))
}

fn place(p: &Program, place: &Place) -> String {
    let mut t = match place.root {
        Root::Global(g) => format!("g{}", g.0),
        Root::Own(i) => format!("x{i}"),
        Root::Frame(i) => format!("f{i}"),
        Root::Argument(i) => format!("arg{i}"),
        other => format!("{other:?}"),
    };
    for projection in &place.path {
        match projection {
            Projection::Field(f) => t += &format!(".{f}"),
            Projection::Index(i) => t += &format!("[{}]", expr(p, *i)),
        }
    }
    t
}

/// An expression.
pub(crate) fn expr(p: &Program, id: ExprId) -> String {
    match p.exprs.get(id) {
        Expr::Const(value) => match value {
            model::Value::Int(n) => n.to_string(),
            model::Value::Bool(b) => b.to_string(),
            other => format!("{other:?}"),
        },
        Expr::Load(l) => place(p, l),
        Expr::Unary(op, a) => format!("{op:?}({})", expr(p, *a)),
        Expr::Binary(op, a, b) => format!("({} {op:?} {})", expr(p, *a), expr(p, *b)),
        Expr::Ite(a, b, c) => format!("({} ? {} : {})", expr(p, *a), expr(p, *b), expr(p, *c)),
        Expr::Convert(a) => format!("({:?})({})", p.exprs.ty(id), expr(p, *a)),
        other => format!("{other:?}"),
    }
}
