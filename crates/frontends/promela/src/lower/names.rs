//! What references mean.

use model::{ExprId, Projection, Root};
use source::{Diagnostic, suggest};

use super::types::{Ty, Variable};
use super::{Lowering, Place};
use crate::ast::{Expr, Ident, Reference};
use crate::codes::{names, rules};

/// A place in memory and what it holds.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) place: model::Place,
    pub(super) ty: Ty,
    /// How many elements, if it is a whole array.
    pub(super) length: Option<u32>,
    /// The channels that the variable is made with.
    pub(super) shape: Option<usize>,
}

impl Lowering<'_> {
    /// The variable that a name means, if there is one.
    pub(super) fn find_variable(&self, name: &str, place: Place) -> Option<Variable> {
        if let Some(process) = place.process {
            let process = &self.processes[process];
            let local = process.body.scopes.find(place.scope, name, place.position);
            if let Some(local) = local {
                return Some(process.locals[local].clone());
            }
        }
        self.globals.get(name).cloned()
    }

    /// The place that a reference means; reports what is wrong with it.
    pub(super) fn target(&mut self, reference: &Reference, place: Place) -> Option<Target> {
        let (ident, _) = &reference.parts[0];
        let Some(variable) = self.find_variable(&ident.name, place) else {
            self.undeclared(ident, place);
            return None;
        };
        let root = variable.root?;
        self.walk(&variable, root, reference, place)
    }

    fn undeclared(&mut self, ident: &Ident, place: Place) {
        let mut diagnostic = Diagnostic::error(
            names::UNDECLARED,
            format!("`{}` is not declared", ident.name),
        )
        .at(ident.span);
        if place.process.is_none() {
            let owner = self.processes.iter().find(|process| {
                let mut locals = process.body.locals.iter();
                locals.any(|l| l.declarator.name.name == ident.name)
            });
            if let Some(owner) = owner {
                diagnostic = diagnostic.help(format!(
                    "a local of a process is written `{}:{}`",
                    owner.ast.name.name, ident.name
                ));
            }
        }
        let own = place
            .process
            .map(|process| &self.processes[process].body.locals);
        let own = own.into_iter().flatten();
        let mut known: Vec<&str> = (self.globals.keys().chain(self.mtypes.keys()))
            .map(|name| &**name)
            .chain(own.map(|local| &*local.declarator.name.name))
            .collect();
        known.sort_unstable();
        if let Some(near) = suggest(&ident.name, known) {
            diagnostic = diagnostic.fix_it(ident.span, near, "write the name that is declared");
        }
        self.diagnostics.push(diagnostic);
    }

    /// Goes down from a variable by a reference's fields and indices.
    pub(super) fn walk(
        &mut self,
        variable: &Variable,
        root: Root,
        reference: &Reference,
        place: Place,
    ) -> Option<Target> {
        let mut path = Vec::new();
        let mut current = variable.clone();
        for (position, (ident, index)) in reference.parts.iter().enumerate() {
            if position > 0 {
                let field = match (current.ty, current.length) {
                    (Ty::Structure(structure), None) => self.structures[structure]
                        .fields
                        .iter()
                        .position(|field| field.name == ident.name)
                        .map(|field| (structure, field)),
                    (Ty::Structure(_), Some(_)) => {
                        let message = format!("the array `{}` needs an index", current.name);
                        self.error(rules::INDEX, ident.span, message);
                        return None;
                    }
                    _ => None,
                };
                let Some((structure, field)) = field else {
                    let message = format!("`{}` has no field `{}`", current.name, ident.name);
                    self.error(names::NO_FIELD, ident.span, message);
                    return None;
                };
                path.push(Projection::Field(u32::try_from(field).expect("few fields")));
                current = self.structures[structure].fields[field].clone();
            }
            if let Some(index) = index {
                let Some(length) = current.length else {
                    let message = format!("`{}` is no array", current.name);
                    self.error(rules::INDEX, ident.span, message);
                    return None;
                };
                let id = self.index(index, length, place);
                path.push(Projection::Index(id));
                current.length = None;
            }
        }
        Some(Target {
            place: model::Place { root, path },
            ty: current.ty,
            length: current.length,
            shape: current.shape,
        })
    }

    fn index(&mut self, index: &Expr, length: u32, place: Place) -> ExprId {
        if let Some(value) = self.constant(index)
            && !(0..i64::from(length)).contains(&value)
        {
            let message = format!("index {value} is outside of 0..{}", length - 1);
            self.error(rules::INDEX, index.span, message);
            return self.zero();
        }
        self.number(index, place)
    }

    /// The place of something that is no array and no structure.
    pub(super) fn scalar(&mut self, reference: &Reference, place: Place) -> Option<Target> {
        let target = self.target(reference, place)?;
        if target.length.is_some() {
            let message = "the array needs an index";
            self.error(rules::INDEX, reference.span, message);
            return None;
        }
        if matches!(target.ty, Ty::Structure(_)) {
            let message = "a structure is no number: name a field";
            self.error(rules::STRUCTURE, reference.span, message);
            return None;
        }
        Some(target)
    }

    /// A channel: its reference, and its shape where that is known.
    pub(super) fn channel(
        &mut self,
        reference: &Reference,
        place: Place,
    ) -> Option<(ExprId, Option<usize>)> {
        let target = self.scalar(reference, place)?;
        if target.ty != Ty::Channel {
            let message = "this is no channel";
            self.error(rules::NOT_A_CHANNEL, reference.span, message);
            return None;
        }
        let id = self.program.exprs.load(target.place, model::Type::Channel);
        Some((id, target.shape))
    }

    /// All parts of a place that are no structures or arrays, in order.
    pub(super) fn parts(&mut self, target: &Target) -> Vec<(model::Place, Ty)> {
        if let Some(length) = target.length {
            let mut all = Vec::new();
            for index in 0..length {
                let mut element = target.clone();
                element.length = None;
                let index = self.int(index.into());
                element.place.path.push(Projection::Index(index));
                all.extend(self.parts(&element));
            }
            return all;
        }
        let Ty::Structure(structure) = target.ty else {
            return vec![(target.place.clone(), target.ty)];
        };
        let mut all = Vec::new();
        let fields = self.structures[structure].fields.clone();
        for (field, variable) in (0u32..).zip(fields) {
            let mut part = target.clone();
            part.place.path.push(Projection::Field(field));
            part.ty = variable.ty;
            part.length = variable.length;
            all.extend(self.parts(&part));
        }
        all
    }
}
