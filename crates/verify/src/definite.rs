//! The runs of a program that are possible whatever the undecided values on their way are.
//!
//! Beside each variable that may hold an undecided value, or one computed from it, stands a truth
//! value that says whether it does, as memory checkers keep bits of what is defined (J. Seward,
//! N. Nethercote: *Using Valgrind to detect undefined value errors with bit-precision*, 2005). A run
//! is removed where it goes on, or fails, only for such a value. What is left does the same for all
//! values, so that it does so for those that can be.

use std::collections::{HashMap, HashSet};

use model::{
    Binary, Choice, Claim, Expr, ExprId, Place, Program, Projection, Root, Stmt, Target, Type,
    ValueSet, Variable,
};

/// How deep expressions may be.
const MAX_NESTING: usize = 2000;

/// The program without the runs that depend on an undecided value; none if it has something that
/// is not followed here. With `narrow`, such choices have one value: it makes no difference. Steps
/// and choices keep their numbers.
pub(crate) fn definite_runs(program: &Program, narrow: bool) -> Option<Program> {
    let mut followed = program.exprs.nesting() <= MAX_NESTING
        && program.observers.is_empty()
        && program.processes.len() == 1
        && program.start.len() == 1
        && program
            .properties
            .iter()
            .all(|property| matches!(property.claim, Claim::Check(_) | Claim::NoFault(_)));
    for step in program.processes.iter().flat_map(|process| &process.steps) {
        followed &= step.binds.is_empty()
            && step.comm.is_none()
            && step.rank == 0
            && matches!(step.target, Target::Goto(_) | Target::End)
            && is_followed(&step.body);
    }
    if !followed {
        return None;
    }
    let mut definite = Definite {
        unsure: unsure(program)?,
        program: program.clone(),
        narrow,
        beside: HashMap::new(),
        shadows: HashMap::new(),
    };
    let mut steps = std::mem::take(&mut definite.program.processes[0].steps);
    for step in &mut steps {
        let mut body = Vec::new();
        if let Some(guard) = step.guard {
            definite.only_sure(&[guard], &mut body)?;
        }
        definite.body(&step.body, &mut body)?;
        step.body = body;
    }
    definite.program.processes[0].steps = steps;
    Some(definite.program)
}

fn is_followed(body: &[Stmt]) -> bool {
    body.iter().all(|stmt| match stmt {
        Stmt::Assign(place, _) | Stmt::Choose(Choice { place, .. }) => is_simple(place),
        Stmt::If(_, yes, no) => is_followed(yes) && is_followed(no),
        Stmt::Assert { .. } | Stmt::Assume(_) | Stmt::Raise(_) | Stmt::Emit { .. } => true,
        _ => false,
    })
}

/// Whether a place is a variable or an element of an array.
fn is_simple(place: &Place) -> bool {
    matches!(place.root, Root::Global(_) | Root::Own(_))
        && matches!(place.path.as_slice(), [] | [Projection::Index(_)])
}

/// The variables that may hold a value computed from an undecided one; none if something is read
/// that is not followed.
fn unsure(program: &Program) -> Option<HashSet<Root>> {
    let mut unsure = HashSet::new();
    let mut reads: HashMap<Root, HashSet<Root>> = HashMap::new();
    let mut bodies: Vec<&[Stmt]> = Vec::new();
    let steps = program.processes.iter().flat_map(|process| &process.steps);
    bodies.extend(steps.map(|step| step.body.as_slice()));
    while let Some(body) = bodies.pop() {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let read = roots(program, *value)?;
                    reads.entry(place.root).or_default().extend(read);
                }
                Stmt::Choose(choice) if program.is_undecided(choice.outside) => {
                    unsure.insert(choice.place.root);
                }
                Stmt::If(_, yes, no) => bodies.extend([yes.as_slice(), no.as_slice()]),
                _ => {}
            }
        }
    }
    loop {
        let before = unsure.len();
        for (root, read) in &reads {
            if !read.is_disjoint(&unsure) {
                unsure.insert(*root);
            }
        }
        if unsure.len() == before {
            return Some(unsure);
        }
    }
}

/// The variables that an expression reads.
fn roots(program: &Program, expr: ExprId) -> Option<HashSet<Root>> {
    let (mut found, mut seen, mut waiting) = (HashSet::new(), HashSet::new(), vec![expr]);
    while let Some(expr) = waiting.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if let Expr::Load(place) = program.exprs.get(expr) {
            if !is_simple(place) {
                return None;
            }
            found.insert(place.root);
        }
        program
            .exprs
            .operands(expr, |operand| waiting.push(operand));
    }
    Some(found)
}

/// Whether a value is undecided, and whether what it does before it is there is: the element that
/// is read, a division that may fail.
#[derive(Clone, Copy)]
struct Shadow {
    value: ExprId,
    way: ExprId,
}

struct Definite {
    program: Program,
    narrow: bool,
    /// Variables that may hold an undecided value.
    unsure: HashSet<Root>,
    /// By variable, the truth value beside it.
    beside: HashMap<Root, Root>,
    shadows: HashMap<ExprId, Shadow>,
}

impl Definite {
    fn body(&mut self, body: &[Stmt], all: &mut Vec<Stmt>) -> Option<()> {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => {
                    let shadow = self.shadow(*value)?;
                    self.assume_sure(shadow.way, all);
                    self.sure_place(place, all)?;
                    self.mark(place, shadow.value, all);
                    all.push(stmt.clone());
                }
                Stmt::Choose(choice) => {
                    let mut bounds = Vec::new();
                    choice.set.operands(&mut |bound| bounds.push(bound));
                    self.only_sure(&bounds, all)?;
                    self.sure_place(&choice.place, all)?;
                    let undecided = self.program.is_undecided(choice.outside);
                    let mark = self.program.exprs.bool(undecided);
                    self.mark(&choice.place, mark, all);
                    let mut choice = choice.clone();
                    let first = choice.sample.as_ref().and_then(|sample| sample.first());
                    if let (Some(&first), true, true) = (first, undecided, self.narrow) {
                        choice.set = ValueSet::One(first);
                        choice.sample = None;
                    }
                    all.push(Stmt::Choose(choice));
                }
                Stmt::If(cond, yes, no) => {
                    self.only_sure(&[*cond], all)?;
                    let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                    self.body(yes, &mut then)?;
                    self.body(no, &mut otherwise)?;
                    all.push(Stmt::If(*cond, then, otherwise));
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) => {
                    self.only_sure(&[*cond], all)?;
                    all.push(stmt.clone());
                }
                Stmt::Emit { args, .. } => {
                    for arg in args {
                        let way = self.shadow(*arg)?.way;
                        self.assume_sure(way, all);
                    }
                    all.push(stmt.clone());
                }
                other => all.push(other.clone()),
            }
        }
        Some(())
    }

    /// Goes on only where none of some values is undecided.
    fn only_sure(&mut self, values: &[ExprId], all: &mut Vec<Stmt>) -> Option<()> {
        for &value in values {
            let shadow = self.shadow(value)?;
            let unsure = self.program.exprs.or(shadow.value, shadow.way);
            self.assume_sure(unsure, all);
        }
        Some(())
    }

    /// Which element of an array is written is not undecided.
    fn sure_place(&mut self, place: &Place, all: &mut Vec<Stmt>) -> Option<()> {
        let mut indices = Vec::new();
        place.operands(|index| indices.push(index));
        self.only_sure(&indices, all)
    }

    fn assume_sure(&mut self, unsure: ExprId, all: &mut Vec<Stmt>) {
        let sure = self.program.exprs.not(unsure);
        let yes = self.program.exprs.bool(true);
        if sure != yes {
            all.push(Stmt::Assume(sure));
        }
    }

    /// Says whether a place will hold an undecided value.
    fn mark(&mut self, place: &Place, undecided: ExprId, all: &mut Vec<Stmt>) {
        if self.unsure.contains(&place.root) {
            let beside = self.beside(place);
            all.push(Stmt::Assign(beside, undecided));
        }
    }

    fn beside(&mut self, place: &Place) -> Place {
        let root = match self.beside.get(&place.root) {
            Some(root) => *root,
            None => self.new_beside(place.root),
        };
        Place {
            root,
            path: place.path.clone(),
        }
    }

    fn new_beside(&mut self, of: Root) -> Root {
        let ty = match of {
            Root::Global(global) => &self.program.globals[global.index()].ty,
            Root::Own(local) => &self.program.processes[0].locals[local as usize].ty,
            _ => unreachable!("only these are followed"),
        };
        let ty = match ty {
            Type::Array(_, length) => Type::Array(Box::new(Type::Bool), *length),
            _ => Type::Bool,
        };
        let root = Place::global(self.program.add_global(Variable::new("undecided", ty))).root;
        self.beside.insert(of, root);
        root
    }

    fn shadow(&mut self, expr: ExprId) -> Option<Shadow> {
        if let Some(&known) = self.shadows.get(&expr) {
            return Some(known);
        }
        let no = self.program.exprs.bool(false);
        let mut shadow = Shadow { value: no, way: no };
        match self.program.exprs.get(expr).clone() {
            Expr::Load(place) => {
                let mut indices = Vec::new();
                place.operands(|index| indices.push(index));
                for index in indices {
                    let index = self.shadow(index)?;
                    let index = self.program.exprs.or(index.value, index.way);
                    shadow.way = self.program.exprs.or(shadow.way, index);
                }
                if self.unsure.contains(&place.root) {
                    let whole = matches!(self.type_of(place.root), Type::Array(..));
                    if whole == place.path.is_empty() {
                        return None;
                    }
                    let beside = self.beside(&place);
                    shadow.value = self.program.exprs.load(beside, Type::Bool);
                }
            }
            Expr::Ite(cond, yes, no) => {
                let (cond_shadow, yes, no) =
                    (self.shadow(cond)?, self.shadow(yes)?, self.shadow(no)?);
                let exprs = &mut self.program.exprs;
                let chosen = match yes.value == no.value {
                    true => yes.value,
                    false => exprs.add(Expr::Ite(cond, yes.value, no.value), Type::Bool),
                };
                shadow.value = exprs.or(cond_shadow.value, chosen);
                let ways = exprs.or(yes.way, no.way);
                shadow.way = exprs.or(cond_shadow.way, ways);
            }
            other => {
                let mut operands = Vec::new();
                other.operands(|operand| operands.push(operand));
                for operand in operands {
                    let operand = self.shadow(operand)?;
                    let exprs = &mut self.program.exprs;
                    shadow.value = exprs.or(shadow.value, operand.value);
                    shadow.way = exprs.or(shadow.way, operand.way);
                }
                if let Expr::Binary(Binary::Div | Binary::Rem, _, by) = other {
                    let by = self.shadow(by)?.value;
                    shadow.way = self.program.exprs.or(shadow.way, by);
                }
            }
        }
        self.shadows.insert(expr, shadow);
        Some(shadow)
    }

    fn type_of(&self, root: Root) -> &Type {
        match root {
            Root::Global(global) => &self.program.globals[global.index()].ty,
            Root::Own(local) => &self.program.processes[0].locals[local as usize].ty,
            _ => unreachable!("only these are followed"),
        }
    }
}
