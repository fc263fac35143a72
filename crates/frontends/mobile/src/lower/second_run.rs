//! The second of two runs that are looked at together: its variables and expressions
//! ([`compose`](super::compose)).

use std::collections::{HashMap, HashSet};

use model::{
    Choice, Expr, ExprId, Lifetime, Outside, OutsideId, Place, Process, Program, Projection, Root,
    Stmt, Type, ValueSet, Variable,
};
use source::Span;

use super::pointer::POINTER;
use super::secrecy::{Level, Levels};

/// The most elements of an array that are compared, or that a secret may have.
const MAX_ELEMENTS: u32 = 64;

/// Something that is not followed in a second run.
pub(super) struct Refused;

/// What the second run has of its own: a copy of each variable that may differ.
pub(super) struct SecondRun<'a> {
    pub(super) program: &'a mut Program,
    /// The process with the variables of both.
    pub(super) process: Process,
    pub(super) levels: &'a Levels,
    /// Variables that belong to the first run alone.
    pub(super) first_only: &'a HashSet<Root>,
    /// By variable of the first run, that of the second.
    pub(super) copies: HashMap<Root, Root>,
    /// By expression of the first run, that of the second.
    exprs: HashMap<ExprId, ExprId>,
    /// By choice of the first run, that of the second, and whether it is certain.
    outside: HashMap<(Option<OutsideId>, bool), OutsideId>,
}

impl<'a> SecondRun<'a> {
    pub(super) fn new(
        program: &'a mut Program,
        process: &Process,
        levels: &'a Levels,
        first_only: &'a HashSet<Root>,
    ) -> Self {
        SecondRun {
            program,
            process: process.clone(),
            levels,
            first_only,
            copies: HashMap::new(),
            exprs: HashMap::new(),
            outside: HashMap::new(),
        }
    }

    pub(super) fn type_of(&self, root: Root) -> Result<Type, Refused> {
        match root {
            Root::Global(id) => Ok(self.program.globals[id.index()].ty.clone()),
            Root::Own(local) => Ok(self.process.locals[local as usize].ty.clone()),
            _ => Err(Refused),
        }
    }

    pub(super) fn type_at(&self, place: &Place) -> Result<Type, Refused> {
        match (self.type_of(place.root)?, place.path.as_slice()) {
            (Type::Array(element, _), [Projection::Index(_)]) => Ok(*element),
            (ty, []) => Ok(ty),
            _ => Err(Refused),
        }
    }

    /// The scalars of a variable, and their type; none if they are too many.
    pub(super) fn elements(&mut self, root: Root) -> Result<Option<(Vec<Place>, Type)>, Refused> {
        let (ty, length) = match self.type_of(root)? {
            Type::Array(_, length) if length > MAX_ELEMENTS => return Ok(None),
            Type::Array(element, length) => (*element, length),
            ty => return Ok(Some((vec![Place::from(root)], ty))),
        };
        let mut all = Vec::new();
        for at in 0..length {
            let index = self.program.exprs.int(at.into(), Type::INT32);
            all.push(Place {
                root,
                path: vec![Projection::Index(index)],
            });
        }
        Ok(Some((all, ty)))
    }

    pub(super) fn name_of(&self, root: Root) -> String {
        match root {
            Root::Global(id) => self.program.globals[id.index()].name.clone(),
            Root::Own(local) => self.process.locals[local as usize].name.clone(),
            _ => String::new(),
        }
    }

    /// The variable of the second run.
    pub(super) fn copy(&mut self, root: Root) -> Result<Root, Refused> {
        if let Some(&copy) = self.copies.get(&root) {
            return Ok(copy);
        }
        let ty = self.type_of(root)?;
        let variable = Variable::new(format!("{} (second run)", self.name_of(root)), ty);
        let copy = match root {
            Root::Global(_) => Place::global(self.program.add_global(variable)),
            _ => {
                self.process.locals.push(variable);
                Place::own(self.process.locals.len() - 1)
            }
        };
        self.copies.insert(root, copy.root);
        Ok(copy.root)
    }

    /// Whether a variable may differ.
    pub(super) fn differs(&self, root: &Root) -> bool {
        !self.first_only.contains(root) && self.levels.of(root) > Level::Never
    }

    /// Whether a value may differ.
    pub(super) fn is_high(&self, expr: ExprId) -> bool {
        self.levels.of_expr(expr, &self.program.exprs) > Level::Never
    }

    /// The place of the second run.
    pub(super) fn second_place(&mut self, place: &Place) -> Result<Place, Refused> {
        let root = match self.differs(&place.root) {
            true => self.copy(place.root)?,
            false => place.root,
        };
        let mut path = place.path.clone();
        for projection in &mut path {
            if let Projection::Index(index) = projection {
                *index = self.second(*index)?;
            }
        }
        Ok(Place { root, path })
    }

    /// The expression of the second run.
    pub(super) fn second(&mut self, expr: ExprId) -> Result<ExprId, Refused> {
        if let Some(&known) = self.exprs.get(&expr) {
            return Ok(known);
        }
        let ty = self.program.exprs.ty(expr).clone();
        let new = match self.program.exprs.get(expr).clone() {
            same @ Expr::Const(_) => same,
            Expr::Load(place) => Expr::Load(self.second_place(&place)?),
            Expr::Unary(op, a) => Expr::Unary(op, self.second(a)?),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.second(a)?, self.second(b)?),
            Expr::Ite(a, b, c) => Expr::Ite(self.second(a)?, self.second(b)?, self.second(c)?),
            Expr::Convert(a) => Expr::Convert(self.second(a)?),
            Expr::Tuple(all) => {
                let all: Result<Vec<ExprId>, Refused> =
                    all.into_iter().map(|a| self.second(a)).collect();
                Expr::Tuple(all?)
            }
            _ => return Err(Refused),
        };
        let new = self.program.exprs.add(new, ty);
        self.exprs.insert(expr, new);
        Ok(new)
    }

    pub(super) fn second_set(&mut self, set: &ValueSet) -> Result<ValueSet, Refused> {
        Ok(match set {
            ValueSet::One(a) => ValueSet::One(self.second(*a)?),
            ValueSet::Between(a, b) => ValueSet::Between(self.second(*a)?, self.second(*b)?),
            ValueSet::Union(sets) => {
                let sets: Result<Vec<ValueSet>, Refused> =
                    sets.iter().map(|set| self.second_set(set)).collect();
                ValueSet::Union(sets?)
            }
            ValueSet::Ite(cond, a, b) => ValueSet::Ite(
                self.second(*cond)?,
                Box::new(self.second_set(a)?),
                Box::new(self.second_set(b)?),
            ),
            ValueSet::All(ty) => ValueSet::All(ty.clone()),
        })
    }

    /// What the world decides in the second run, where it may be another than in the first.
    pub(super) fn outside_of(
        &mut self,
        first: Option<OutsideId>,
        exact: bool,
        place: Root,
    ) -> OutsideId {
        if let Some(&known) = self.outside.get(&(first, exact)) {
            return known;
        }
        let (fact, span) = match first {
            Some(first) => {
                let first = &self.program.outside[first.index()];
                (first.fact.clone(), first.span)
            }
            None => (format!("what `{}` holds", self.name_of(place)), Span::NONE),
        };
        let new = self.program.add_outside(Outside {
            fact: format!("in a second run, {fact}"),
            span,
            lifetime: Lifetime::Reading,
            exact,
        });
        self.outside.insert((first, exact), new);
        new
    }

    pub(super) fn any_value(
        &mut self,
        place: Place,
        ty: &Type,
        outside: OutsideId,
    ) -> Result<Stmt, Refused> {
        // Not every number is a pointer.
        if *ty == POINTER || !matches!(ty, Type::Int { .. } | Type::Bool) {
            return Err(Refused);
        }
        Ok(Stmt::Choose(Choice {
            place,
            set: ValueSet::All(ty.clone()),
            sample: None,
            what: self.program.outside[outside.index()].fact.clone(),
            outside: Some(outside),
        }))
    }
}
