//! Comparisons that a program itself makes, as predicates.
//!
//! What a guard or an assertion compares is what a weakest precondition speaks of first, so a proof
//! by predicate abstraction begins with it (S. Graf and H. Saïdi, *Construction of abstract state
//! graphs with PVS*, 1997).

use std::collections::BTreeSet;

use circuit::Encoding;
use model::{Binary, Expr, ExprId, Place, Process, Program, Root, Stmt, Unary, Value};
use sat::predicates::Predicate;

/// No more comparisons than this are looked at.
const MOST: usize = 64;

/// Comparisons of a program of one process that speak of the variables with these names.
pub(crate) fn conditions(
    encoding: &mut Encoding<'_>,
    is_wide: &dyn Fn(&str) -> bool,
) -> Vec<Predicate> {
    let program = encoding.program();
    let [start] = program.start.as_slice() else {
        return Vec::new();
    };
    let process = &program.processes[start.process.index()];
    if !process.procedures.is_empty() {
        return Vec::new();
    }
    let read = Reading { program, process };
    let mut predicates = Vec::new();
    for expr in read.comparisons() {
        let Some((name, negated)) = read.told(expr, is_wide) else {
            continue;
        };
        let lit = encoding.condition(0, expr);
        if let Ok(lit) = lit.as_ref()
            && lit.as_constant().is_none()
        {
            predicates.push(Predicate {
                name,
                negated,
                lit: *lit,
            });
        }
        if predicates.len() == MOST {
            break;
        }
    }
    predicates
}

struct Reading<'p> {
    program: &'p Program,
    process: &'p Process,
}

impl Reading<'_> {
    /// The comparisons in guards, branches and assertions.
    fn comparisons(&self) -> BTreeSet<ExprId> {
        let mut open = Vec::new();
        for step in &self.process.steps {
            open.extend(step.guard);
            conditions_of(&step.body, &mut open);
        }
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.program.exprs.get(expr) {
                Expr::Unary(Unary::Not, inner) => open.push(*inner),
                Expr::Binary(Binary::And | Binary::Or, a, b) => open.extend([*a, *b]),
                Expr::Binary(Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne, ..) => {
                    found.insert(expr);
                }
                _ => {}
            }
        }
        found
    }

    /// What a comparison says, and what its negation does; nothing if it is of no use.
    fn told(&self, expr: ExprId, is_wide: &dyn Fn(&str) -> bool) -> Option<(String, String)> {
        let Expr::Binary(op, a, b) = self.program.exprs.get(expr) else {
            return None;
        };
        let (is, is_not) = match op {
            Binary::Lt => ("<", ">="),
            Binary::Le => ("<=", ">"),
            Binary::Eq => ("==", "!="),
            _ => ("!=", "=="),
        };
        let mut names = Vec::new();
        let (a, b) = (self.written(*a, &mut names)?, self.written(*b, &mut names)?);
        names
            .iter()
            .any(|name| is_wide(name))
            .then(|| (format!("{a} {is} {b}"), format!("{a} {is_not} {b}")))
    }

    /// A number as people write it, if it is made of variables and constants.
    fn written(&self, expr: ExprId, names: &mut Vec<String>) -> Option<String> {
        match self.program.exprs.get(expr) {
            Expr::Const(Value::Int(number)) => Some(number.to_string()),
            Expr::Load(place) => {
                let name = self.name(place)?;
                names.push(name.clone());
                Some(name)
            }
            Expr::Convert(inner) => self.written(*inner, names),
            Expr::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                let sign = if *op == Binary::Add { '+' } else { '-' };
                let (a, b) = (self.written(*a, names)?, self.written(*b, names)?);
                Some(format!("({a} {sign} {b})"))
            }
            _ => None,
        }
    }

    fn name(&self, place: &Place) -> Option<String> {
        if !place.path.is_empty() {
            return None;
        }
        match place.root {
            Root::Global(id) => Some(self.program.globals[id.index()].name.clone()),
            Root::Own(local) => Some(self.process.locals[local as usize].name.clone()),
            _ => None,
        }
    }
}

fn conditions_of(body: &[Stmt], found: &mut Vec<ExprId>) {
    for stmt in body {
        match stmt {
            Stmt::If(cond, then, otherwise) => {
                found.push(*cond);
                conditions_of(then, found);
                conditions_of(otherwise, found);
            }
            Stmt::Assert { cond, .. } | Stmt::Assume(cond) => found.push(*cond),
            _ => {}
        }
    }
}
