//! The arguments that a program is given.

use std::rc::Rc;

use model::{Binary, Cut, CutBy, Stmt, Type, ValueSet};
use source::Span;

use crate::ctype::CType;

use super::build::Build;
use super::memory::{ARGUMENTS, Object};
use super::pointer::{NULL, OUTSIDE, Pts, only};
use super::value::Rvalue;
use super::{Key, Lowering};

/// A program is given so many arguments at most, its own name among them.
const MOST: usize = 8;

impl Lowering<'_> {
    /// The arguments of `main`: any number of texts up to a bound, then null.
    pub(super) fn main_arguments(&mut self, main: usize, span: Span) -> Vec<Rvalue> {
        let parameters = self.functions[main].signature.parameters.clone();
        let mut values: Vec<Rvalue> = Vec::new();
        for (_, ty) in parameters {
            let value = match (&ty, values.first().and_then(|count| count.expr)) {
                (CType::Pointer(to), Some(count)) if is_text(to) && values.len() == 1 => {
                    self.given_texts(&ty, count, span)
                }
                (CType::Pointer(_), _) => {
                    let pointer = self.pointer(OUTSIDE, self.facts.texts.len());
                    Rvalue {
                        ty,
                        expr: Some(pointer),
                        pts: only(OUTSIDE),
                        at: None,
                    }
                }
                _ => self.number_of_arguments(&ty, span),
            };
            values.push(value);
        }
        values
    }

    fn number_of_arguments(&mut self, ty: &CType, span: Span) -> Rvalue {
        let model = ty.model().unwrap_or(Type::INT32);
        let fact = "the number of arguments";
        let place = self.temporary(fact, model.clone());
        let outside = self.outside(fact, span, true);
        let (zero, most) = (
            self.pool().int(0, model.clone()),
            self.pool().int(MOST as i128, model.clone()),
        );
        let set = ValueSet::Between(zero, most);
        self.choose(place.clone(), set, None, fact, outside);
        self.program.cut(Cut {
            text: format!("a program is given at most {MOST} arguments, its own name among them"),
            by: CutBy::Stated,
            span,
            properties: None,
        });
        Rvalue::number(ty.clone(), self.pool().load(place, model))
    }

    /// Texts, as many as are said, and null behind the last.
    fn given_texts(&mut self, ty: &CType, count: model::ExprId, span: Span) -> Rvalue {
        let cell = CType::pointer(CType::CHAR);
        let key = Key::variable("", 0, ARGUMENTS);
        let object = self.object(key, || Object {
            name: ARGUMENTS.to_owned(),
            ty: CType::Array(Rc::new(cell.clone()), Some(MOST as u64 + 1)),
            cells: Rc::new(vec![cell; MOST + 1]),
            literal: None,
            owner: None,
            inner: false,
            site: None,
        });
        let held: Pts = only(OUTSIDE);
        self.holds(object, &held);
        let null = self.pointer(NULL, 0);
        let (first, last) = (
            self.pointer(OUTSIDE, 0),
            self.pointer(OUTSIDE, self.facts.texts.len()),
        );
        let fact = "an argument of the program";
        let outside = self.outside(fact, span, true);
        self.unrelated(outside);
        for (at, place, _) in self.numbered_places(object) {
            let ty = self.program.exprs.ty(count).clone();
            let at = self.pool().int(at as i128, ty);
            let given = self.pool().two(Binary::Lt, at, count);
            let choice = model::Choice {
                place: place.clone(),
                set: ValueSet::Between(first, last),
                sample: None,
                what: fact.to_owned(),
                outside: Some(outside),
            };
            let chosen = vec![Stmt::Choose(choice)];
            let nothing = vec![Stmt::Assign(place, null)];
            self.emit(Stmt::If(given, chosen, nothing));
        }
        Rvalue {
            ty: ty.clone(),
            expr: Some(self.pointer(object, 0)),
            pts: only(object),
            at: None,
        }
    }
}

/// Whether a type is that of a text.
fn is_text(ty: &CType) -> bool {
    matches!(ty, CType::Pointer(to) if matches!(**to, CType::Int { bits: 8, .. }))
}
