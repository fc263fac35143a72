//! Variables that the model holds in several: words of more than 64 bits, and arrays that words index.
//!
//! Each part is a variable of its own, and a whole is read as a tuple of them.

use std::rc::Rc;

use model::{ExprId, GlobalId, Number};
use source::{Diagnostic, Span};

use super::declare::{Entity, Values, Variable};
use super::value::{Choices, Ty, Val};
use super::{Context, Lowered, Lowering};
use crate::ast::AssignmentSort;
use crate::codes::rules;
use crate::limbs::{LIMB, is_wide, widths};

/// A wide word among the variables: its name, whether it has a sign, and its limbs.
pub(super) struct WideVariable {
    name: String,
    signed: bool,
    limbs: Vec<usize>,
}

impl<'t> Lowering<'t, '_> {
    /// Makes a variable, or those that it consists of.
    pub(super) fn declare_variable(&mut self, declared: Variable) -> Entity<'t> {
        let ty = declared.ty;
        let mut parts = Vec::new();
        self.declare_parts(declared, &mut parts);
        match ty {
            Ty::Word { bits, .. } if is_wide(bits) => Entity::Compound(ty, parts.into()),
            Ty::Array(_) => Entity::Compound(ty, parts.into()),
            _ => Entity::Variable(parts[0]),
        }
    }

    fn declare_parts(&mut self, declared: Variable, parts: &mut Vec<usize>) {
        let Variable { sort, span, .. } = declared;
        match declared.ty {
            Ty::Word { bits, signed } if is_wide(bits) => {
                let first = self.variables.len();
                for (at, width) in (0..).zip(widths(bits)) {
                    let low = at * LIMB;
                    let name = format!("{}[{}:{low}]", declared.name, low + width - 1);
                    let ty = Ty::Word {
                        bits: width,
                        signed: false,
                    };
                    let limb = Variable {
                        name,
                        ty,
                        values: Values::All,
                        sort,
                        span,
                    };
                    self.declare_parts(limb, parts);
                }
                self.wide_variables.push(WideVariable {
                    name: declared.name,
                    signed,
                    limbs: (first..self.variables.len()).collect(),
                });
            }
            Ty::Array(number) => {
                let array = self.word_array(number);
                for at in 0..array.length() {
                    let element = Variable {
                        name: format!("{}[{at}]", declared.name),
                        ty: array.element,
                        values: declared.values.clone(),
                        sort,
                        span,
                    };
                    self.declare_parts(element, parts);
                }
            }
            _ => {
                parts.push(self.variables.len());
                self.variables.push(declared);
            }
        }
    }

    /// What a compound variable holds.
    pub(super) fn read_compound(
        &mut self,
        ty: Ty,
        parts: &[usize],
        span: Span,
        context: Context,
    ) -> Lowered<Val> {
        let mut ids = Vec::new();
        for &part in parts {
            let read = self.read(part, span, context)?;
            ids.push(self.single(read, span)?.id);
        }
        let id = self.whole(ty, &mut ids.into_iter());
        Ok(Val { id, ty })
    }

    /// A value from its parts.
    fn whole(&mut self, ty: Ty, parts: &mut impl Iterator<Item = ExprId>) -> ExprId {
        let components: Vec<ExprId> = match ty {
            Ty::Array(number) => {
                let array = self.word_array(number);
                let elements = 0..array.length();
                elements.map(|_| self.whole(array.element, parts)).collect()
            }
            Ty::Word { bits, .. } if is_wide(bits) => parts.take(widths(bits).count()).collect(),
            _ => return parts.next().expect("there is a part for each"),
        };
        self.tuple(components)
    }

    /// The parts of a value.
    fn parts_of(&self, id: ExprId, parts: &mut Vec<ExprId>) {
        match self.components(id) {
            Some(components) => components.iter().for_each(|c| self.parts_of(*c, parts)),
            None => parts.push(id),
        }
    }

    /// Reports what a compound variable cannot be assigned.
    pub(super) fn check_compound(
        &mut self,
        name: &str,
        ty: Ty,
        choices: &Choices,
        span: Span,
    ) -> Lowered<()> {
        let mut leaves = Vec::new();
        choices.leaves(&mut leaves);
        if matches!(ty, Ty::Array(_)) && leaves.len() > 1 {
            let message = format!("`{name}` can be assigned one array, not one of several");
            return Err(self.error(rules::SEVERAL, span, message));
        }
        for leaf in leaves {
            let (Choices::One(value) | Choices::Between(value, _)) = leaf else {
                continue;
            };
            if value.ty != ty {
                let message = format!(
                    "`{name}` is {}, but is assigned a value that is {}",
                    self.type_name(ty),
                    self.type_name(value.ty)
                );
                return Err(self.report(Diagnostic::error(rules::TYPES, message).at(span)));
            }
        }
        Ok(())
    }

    /// What a part of a compound variable is assigned. Where the whole is one of several values, a part is
    /// that of a value with which all parts behind it agree.
    pub(super) fn part_of(
        &mut self,
        choices: &Choices,
        parts: &[usize],
        at: usize,
        next: bool,
    ) -> Lowered<Choices> {
        let mut behind = Vec::new();
        if matches!(choices, Choices::Union(_) | Choices::If(..)) {
            for &part in &parts[at + 1..] {
                let context = Context { scope: 0, next };
                let read = self.read(part, Span::NONE, context)?;
                behind.push(self.single(read, Span::NONE)?.id);
            }
        }
        let ty = self.variables[parts[at]].ty;
        Ok(self.part_of_any(choices, ty, at, &behind, false))
    }

    fn part_of_any(
        &mut self,
        choices: &Choices,
        ty: Ty,
        at: usize,
        behind: &[ExprId],
        among_others: bool,
    ) -> Choices {
        match choices {
            Choices::One(value) | Choices::Between(value, _) => {
                let mut parts = Vec::new();
                self.parts_of(value.id, &mut parts);
                let part = Choices::One(Val { id: parts[at], ty });
                if !among_others {
                    return part;
                }
                let pairs = parts[at + 1..].iter().zip(behind);
                let agree = pairs.map(|(a, b)| self.same(*a, *b)).collect();
                let agree = self.all(agree);
                let model_type = Self::model_type(ty);
                let (zero, one) = (self.known(0, model_type.clone()), self.known(1, model_type));
                let nothing = Choices::Between(Val { id: one, ty }, Val { id: zero, ty });
                self.choose(agree, part, nothing)
            }
            Choices::Union(all) => {
                let mut any = Vec::new();
                for one in all {
                    any.push(self.part_of_any(one, ty, at, behind, true));
                }
                Choices::Union(any)
            }
            Choices::If(condition, a, b) => {
                let a = self.part_of_any(a, ty, at, behind, among_others);
                let b = self.part_of_any(b, ty, at, behind, among_others);
                self.choose(*condition, a, b)
            }
        }
    }

    /// Says which of the program's variables are one word.
    pub(super) fn show_wide_variables(&mut self) {
        let mut numbers = Vec::new();
        for wide in &self.wide_variables {
            let digits: Vec<GlobalId> = wide.limbs.iter().map(|v| self.global(*v)).collect();
            numbers.push(Number {
                name: wide.name.clone(),
                signed: wide.signed,
                digits,
            });
        }
        self.program.display.numbers = numbers;
    }

    /// The variables that an assignment is of, each with what it is assigned, now and later.
    pub(super) fn targets(
        &mut self,
        entity: &Entity<'t>,
        sort: AssignmentSort,
        choices: Choices,
        later: Option<Choices>,
    ) -> Lowered<Vec<(usize, Choices, Option<Choices>)>> {
        let (_, parts): (_, &Rc<[usize]>) = match entity {
            Entity::Variable(variable) => return Ok(vec![(*variable, choices, later)]),
            Entity::Compound(ty, parts) => (ty, parts),
            _ => unreachable!("only variables are assigned"),
        };
        let mut targets = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let now = self.part_of(&choices, parts, at, sort == AssignmentSort::Next)?;
            let later = match &later {
                Some(later) => Some(self.part_of(later, parts, at, true)?),
                None => None,
            };
            targets.push((*part, now, later));
        }
        Ok(targets)
    }
}
