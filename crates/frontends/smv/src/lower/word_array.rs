//! Arrays that words index, an extension of nuXmv: `array word[N] of T`.
//!
//! An array is a value: it can be chosen, compared and assigned as a whole, and `WRITE` makes another one of it. As
//! a word of N bits is never outside, there are no bounds to check. Here it is a tuple of its 2^N elements.

use model::{ExprId, Type};
use source::Span;

use super::declare::Values;
use super::value::{Choices, Ty, Val};
use super::{Context, Lowered, Lowering};
use crate::ast::{Expr, TypeExpr, TypeKind};
use crate::codes::rules;
use crate::limbs::{is_wide, widths};

/// The most bits that an index may have.
const MAX_INDEX: u16 = 10;
/// The most variables that an array may consist of.
const MAX_ELEMENTS: usize = 1 << 14;

/// Whose elements are of which type. Types are known by their number, so that equal ones are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordArray {
    /// The bits of the words that index it.
    pub(super) index: u16,
    pub(super) element: Ty,
}

impl WordArray {
    pub(super) fn length(self) -> usize {
        1 << self.index
    }
}

impl<'t> Lowering<'t, '_> {
    /// The type of arrays.
    pub(super) fn word_array(&self, number: u32) -> WordArray {
        self.word_arrays[number as usize]
    }

    /// A type that is written out, and the values of the variables that have it; of an array those of its
    /// innermost elements.
    pub(super) fn word_array_type(
        &mut self,
        width: &'t Expr,
        element: &'t TypeExpr,
        scope: usize,
        span: Span,
    ) -> Lowered<(Ty, Values)> {
        let index = self.width(width, scope)?;
        if index > MAX_INDEX {
            let message = format!(
                "an array with 2^{index} elements; words of up to {MAX_INDEX} bits can be indices"
            );
            return Err(self.error(rules::INFINITE, span, message));
        }
        let (element, values) = match &element.kind {
            TypeKind::Array(..) | TypeKind::Instance { .. } => {
                let message = "the elements of an array that words index are values";
                return Err(self.error(rules::TYPES, element.span, message));
            }
            _ => self.variable_type(element, scope)?,
        };
        let array = WordArray { index, element };
        let variables = array.length() * self.variables_of(element);
        if variables > MAX_ELEMENTS {
            let message = format!("an array of {variables} variables; {MAX_ELEMENTS} are possible");
            return Err(self.error(rules::INFINITE, span, message));
        }
        let known = self.word_arrays.iter().position(|known| *known == array);
        let number = known.unwrap_or(self.word_arrays.len());
        if known.is_none() {
            self.word_arrays.push(array);
        }
        let number = u32::try_from(number).expect("a model has few types");
        Ok((Ty::Array(number), values))
    }

    /// Of how many variables one of a type consists.
    fn variables_of(&self, ty: Ty) -> usize {
        match ty {
            Ty::Array(number) => {
                let array = self.word_array(number);
                array.length() * self.variables_of(array.element)
            }
            Ty::Word { bits, .. } if is_wide(bits) => widths(bits).count(),
            _ => 1,
        }
    }

    fn array_of(&mut self, value: Val, what: &str, span: Span) -> Lowered<WordArray> {
        match value.ty {
            Ty::Array(number) => Ok(self.word_array(number)),
            ty => Err(self.wrong(what, ty, span)),
        }
    }

    /// The type and the elements of an array, and the index if it is one.
    fn indexed_array(
        &mut self,
        what: &str,
        array: Val,
        index: Val,
        span: Span,
    ) -> Lowered<(WordArray, Vec<ExprId>)> {
        let ty = self.array_of(array, what, span)?;
        let wanted = Ty::Word {
            bits: ty.index,
            signed: false,
        };
        if index.ty != wanted {
            let message = format!(
                "an index that is {}; the array's are {}",
                self.type_name(index.ty),
                self.type_name(wanted)
            );
            return Err(self.error(rules::TYPES, span, message));
        }
        let elements = self.components(array.id).expect("arrays are tuples");
        Ok((ty, elements))
    }

    /// `READ(a, i)`, and `a[i]`.
    pub(super) fn element_read(&mut self, array: Val, index: Val, span: Span) -> Lowered<Val> {
        let (ty, mut elements) = self.indexed_array("READ", array, index, span)?;
        // Half of them each time, by the lowest bit first.
        for at in 0..i64::from(ty.index) {
            let bit = self.bits(index, at, at, span)?;
            let bit = self.convert(bit.id, Type::Bool);
            let mut halved = Vec::new();
            for pair in elements.chunks(2) {
                let model_type = Self::model_type(ty.element);
                halved.push(self.if_then_else(bit, pair[1], pair[0], model_type));
            }
            elements = halved;
        }
        Ok(Val {
            id: elements[0],
            ty: ty.element,
        })
    }

    /// `WRITE(a, i, v)`: the array with another element.
    pub(super) fn element_written(
        &mut self,
        array: Val,
        index: Val,
        value: Val,
        span: Span,
    ) -> Lowered<Val> {
        let (ty, mut elements) = self.indexed_array("WRITE", array, index, span)?;
        let value = self.as_element(ty, value, span)?;
        for (at, element) in (0..).zip(&mut elements) {
            let at = self.word_constant(at, ty.index, false);
            let here = self.same(index.id, at.id);
            *element = self.if_then_else(here, value, *element, Self::model_type(ty.element));
        }
        Ok(Val {
            id: self.tuple(elements),
            ty: array.ty,
        })
    }

    /// A value as an element of an array.
    fn as_element(&mut self, array: WordArray, value: Val, span: Span) -> Lowered<ExprId> {
        match (array.element, value.ty) {
            (wanted, found) if wanted == found => return Ok(value.id),
            (Ty::Symbol(wanted), Ty::Symbol(found)) => {
                let members = self.members(wanted);
                if self
                    .members(found)
                    .iter()
                    .all(|name| members.contains(name))
                {
                    return Ok(self.as_member(value, wanted));
                }
            }
            _ => {}
        }
        let message = format!(
            "a value that is {} in an array of {}",
            self.type_name(value.ty),
            self.type_name(array.element)
        );
        Err(self.error(rules::TYPES, span, message))
    }

    /// `CONSTARRAY(type, v)`: the array of a type with the same element everywhere.
    pub(super) fn constant_array(
        &mut self,
        ty: &'t TypeExpr,
        value: &'t Expr,
        context: Context,
    ) -> Lowered<Choices> {
        let (found, _) = match &ty.kind {
            TypeKind::Of(of) => (self.value(of, context)?.ty, Values::All),
            TypeKind::WordArray(width, element) => {
                self.word_array_type(width, element, context.scope, ty.span)?
            }
            _ => {
                let message = "`CONSTARRAY` wants the type of an array that words index";
                return Err(self.error(rules::TYPES, ty.span, message));
            }
        };
        let value_span = value.span;
        let value = self.value(value, context)?;
        let Ty::Array(number) = found else {
            return Err(self.wrong("CONSTARRAY", found, ty.span));
        };
        let array = self.word_array(number);
        let element = self.as_element(array, value, value_span)?;
        let id = self.tuple(vec![element; array.length()]);
        Ok(Choices::One(Val { id, ty: found }))
    }
}
