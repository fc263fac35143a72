//! Typed values, and sets of them to choose from.
//!
//! SMV's expressions may stand for several values at once. An operator on such an expression
//! means all results: it is applied to each leaf of the tree of choices.

use model::{Binary, EnumId, Expr, ExprId, Type, Value};

use super::Lowering;
use crate::limbs::{LIMB, is_wide};

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Bool,
    Int,
    /// A member of an enumeration: a symbol, or an integer among symbols.
    Symbol(EnumId),
    Word {
        bits: u16,
        signed: bool,
    },
    /// An array that words index; the number of its type.
    Array(u32),
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Val {
    pub(super) id: ExprId,
    pub(super) ty: Ty,
}

/// What an expression stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choices {
    One(Val),
    /// The integers between two, both included.
    Between(Val, Val),
    Union(Vec<Choices>),
    If(ExprId, Box<Choices>, Box<Choices>),
}

impl Choices {
    /// All values that it may stand for, whatever the conditions.
    pub(super) fn leaves<'a>(&'a self, found: &mut Vec<&'a Choices>) {
        match self {
            Choices::One(_) | Choices::Between(..) => found.push(self),
            Choices::Union(parts) => parts.iter().for_each(|part| part.leaves(found)),
            Choices::If(_, a, b) => {
                a.leaves(found);
                b.leaves(found);
            }
        }
    }
}

/// The word type of the model.
///
/// # Panics
/// Beyond 64 bits there is none.
pub(super) fn word_type(bits: u16, signed: bool) -> Type {
    let bits = u8::try_from(bits).expect("wider words have limbs");
    assert!(bits <= 64, "internal error: no type has {bits} bits");
    Type::Int { bits, signed }
}

impl Lowering<'_, '_> {
    pub(super) fn truth(&mut self, value: bool) -> Val {
        Val {
            id: self.program.exprs.bool(value),
            ty: Ty::Bool,
        }
    }

    pub(super) fn integer(&mut self, value: i128) -> Val {
        Val {
            id: self.program.exprs.int(value, Type::Mathint),
            ty: Ty::Int,
        }
    }

    pub(super) fn word_constant(&mut self, value: i128, bits: u16, signed: bool) -> Val {
        if is_wide(bits) {
            // As wide as needed, its sign repeated.
            let limbs: Vec<u32> = (0..bits.div_ceil(LIMB))
                .map(|at| (value >> (at * LIMB).min(127)) as u32)
                .collect();
            return self.constant_of_limbs(&limbs, bits, signed);
        }
        let ty = word_type(bits, signed);
        let value = ty.wrap(value);
        Val {
            id: self.program.exprs.int(value, ty),
            ty: Ty::Word { bits, signed },
        }
    }

    /// A symbol on its own: of the enumeration that has only it.
    pub(super) fn symbol(&mut self, name: &str) -> Val {
        let id = self.enumeration(vec![name.to_owned()]);
        Val {
            id: self.program.exprs.int(0, Type::Enum(id)),
            ty: Ty::Symbol(id),
        }
    }

    /// The enumeration with these members.
    pub(super) fn enumeration(&mut self, members: Vec<String>) -> EnumId {
        if let Some(&id) = self.enums.get(&members) {
            return id;
        }
        let id = self.program.add_enum(model::EnumDecl {
            name: format!("{{{}}}", members.join(", ")),
            members: members.clone(),
        });
        self.enums.insert(members, id);
        id
    }

    pub(super) fn members(&self, id: EnumId) -> &[String] {
        &self.program.enums[id.index()].members
    }

    /// The type of the model that holds values of a type.
    pub(super) fn model_type(ty: Ty) -> Type {
        match ty {
            Ty::Bool => Type::Bool,
            Ty::Int => Type::Mathint,
            Ty::Symbol(id) => Type::Enum(id),
            Ty::Word { bits, signed } if !is_wide(bits) => word_type(bits, signed),
            // Those of its parts say more; no expression of this type is kept.
            Ty::Word { .. } | Ty::Array(_) => Type::Array(Box::new(Type::Bool), 0),
        }
    }

    /// The name of a type, for people.
    pub(super) fn type_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Bool => "boolean".to_owned(),
            Ty::Int => "integer".to_owned(),
            Ty::Symbol(id) => self.program.enums[id.index()].name.clone(),
            Ty::Word { bits, signed } => {
                let sign = if signed { "signed" } else { "unsigned" };
                format!("{sign} word[{bits}]")
            }
            Ty::Array(number) => {
                let array = self.word_array(number);
                let element = self.type_name(array.element);
                format!("array word[{}] of {element}", array.index)
            }
        }
    }

    /// Two operands, computed at once where both are known.
    pub(super) fn binary(&mut self, op: Binary, a: ExprId, b: ExprId, ty: Type) -> ExprId {
        let exprs = &self.program.exprs;
        if let (Some(x), Some(y)) = (exprs.constant(a), exprs.constant(b))
            && let Some(result) = super::fold::binary(op, &ty, x.number(), y.number())
        {
            return self.known(result, ty);
        }
        let decides = |id| {
            let value = exprs.constant(id).map(|value| value.truth());
            value == Some(op == Binary::Or)
        };
        match op {
            Binary::And | Binary::Or if decides(b) => b,
            Binary::And => self.program.exprs.and(a, b),
            Binary::Or => self.program.exprs.or(a, b),
            _ => self.program.exprs.add(Expr::Binary(op, a, b), ty),
        }
    }

    /// A constant of a type of the model.
    pub(super) fn known(&mut self, value: i128, ty: Type) -> ExprId {
        match ty {
            Type::Bool => self.program.exprs.bool(value != 0),
            _ => self.program.exprs.int(value, ty),
        }
    }

    pub(super) fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::And, a, b, Type::Bool)
    }

    pub(super) fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Or, a, b, Type::Bool)
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        self.program.exprs.not(a)
    }

    /// Equality of two expressions of one type of the model.
    pub(super) fn same(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.program.exprs.bool(true);
        }
        if let (Some(a), Some(b)) = (self.components(a), self.components(b)) {
            let pairs = a.into_iter().zip(b);
            let equal = pairs.map(|(a, b)| self.same(a, b)).collect();
            return self.all(equal);
        }
        if *self.program.exprs.ty(a) == Type::Bool {
            for (x, y) in [(a, b), (b, a)] {
                if let Some(value) = self.program.exprs.constant(x) {
                    return if value.truth() { y } else { self.not(y) };
                }
            }
        }
        self.binary(Binary::Eq, a, b, Type::Bool)
    }

    pub(super) fn if_then_else(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        ty: Type,
    ) -> ExprId {
        match self.program.exprs.constant(condition) {
            Some(value) if value.truth() => then,
            Some(_) => otherwise,
            None if then == otherwise => then,
            None => {
                if let (Some(a), Some(b)) = (self.components(then), self.components(otherwise)) {
                    let mut parts = Vec::new();
                    for (a, b) in a.into_iter().zip(b) {
                        let ty = self.program.exprs.ty(a).clone();
                        parts.push(self.if_then_else(condition, a, b, ty));
                    }
                    return self.tuple(parts);
                }
                let choice = Expr::Ite(condition, then, otherwise);
                self.program.exprs.add(choice, ty)
            }
        }
    }

    /// One of many, as a tree of little depth.
    pub(super) fn any(&mut self, mut all: Vec<ExprId>) -> ExprId {
        self.balance(&mut all, Binary::Or)
    }

    /// All of many, as a tree of little depth.
    pub(super) fn all(&mut self, mut all: Vec<ExprId>) -> ExprId {
        self.balance(&mut all, Binary::And)
    }

    fn balance(&mut self, all: &mut Vec<ExprId>, op: Binary) -> ExprId {
        if all.is_empty() {
            return self.program.exprs.bool(op == Binary::And);
        }
        while all.len() > 1 {
            let pairs = std::mem::take(all);
            for pair in pairs.chunks(2) {
                let joined = match *pair {
                    [a, b] => self.binary(op, a, b, Type::Bool),
                    _ => pair[0],
                };
                all.push(joined);
            }
        }
        all[0]
    }

    /// A choice between two; one value where both sides are of one type.
    pub(super) fn choose(&mut self, condition: ExprId, a: Choices, b: Choices) -> Choices {
        if let Some(value) = self.program.exprs.constant(condition) {
            return if value.truth() { a } else { b };
        }
        match (&a, &b) {
            (Choices::One(x), Choices::One(y)) if x.ty == y.ty => {
                let id = self.if_then_else(condition, x.id, y.id, Self::model_type(x.ty));
                Choices::One(Val { id, ty: x.ty })
            }
            _ if a == b => a,
            _ => Choices::If(condition, Box::new(a), Box::new(b)),
        }
    }

    /// A symbol or integer as a member of an enumeration; what is no member becomes the number of
    /// members, which is none.
    pub(super) fn as_member(&mut self, value: Val, target: EnumId) -> ExprId {
        let ty = Type::Enum(target);
        match value.ty {
            Ty::Symbol(source) if source == target => value.id,
            Ty::Symbol(source) => {
                let names = self.members(source).to_vec();
                let place = |lowering: &Self, name: &str| {
                    let members = lowering.members(target);
                    let found = members.iter().position(|m| m == name);
                    found.unwrap_or(members.len())
                };
                if let Some(Value::Int(n)) = self.program.exprs.constant(value.id) {
                    let name = usize::try_from(*n).ok().and_then(|n| names.get(n)).cloned();
                    let at = name.map_or(self.members(target).len(), |name| place(self, &name));
                    return self.known(at as i128, ty);
                }
                let last = place(self, names.last().map_or("", String::as_str));
                let mut result = self.known(last as i128, ty.clone());
                for (index, name) in names.iter().enumerate().rev().skip(1) {
                    let at = place(self, name);
                    let then = self.known(at as i128, ty.clone());
                    let here = self.known(index as i128, Type::Enum(source));
                    let is_here = self.same(value.id, here);
                    result = self.if_then_else(is_here, then, result, ty.clone());
                }
                result
            }
            _ => {
                let members = self.members(target).to_vec();
                let mut result = self.known(members.len() as i128, ty.clone());
                for (index, name) in members.iter().enumerate() {
                    if let Ok(number) = name.parse::<i128>() {
                        let then = self.known(index as i128, ty.clone());
                        let number = self.known(number, Type::Mathint);
                        let is_here = self.same(value.id, number);
                        result = self.if_then_else(is_here, then, result, ty.clone());
                    }
                }
                result
            }
        }
    }

    /// Whether of two values one is a symbol of an enumeration without numbers, the other a number.
    pub(super) fn never_equal(&self, a: Val, b: Val) -> bool {
        let ((Ty::Symbol(id), Ty::Int) | (Ty::Int, Ty::Symbol(id))) = (a.ty, b.ty) else {
            return false;
        };
        let mut members = self.members(id).iter();
        !members.any(|member| member.parse::<i128>().is_ok())
    }

    /// Whether two values are equal; `None` if they cannot be compared.
    pub(super) fn equal(&mut self, a: Val, b: Val) -> Option<ExprId> {
        match (a.ty, b.ty) {
            (x, y) if x == y => Some(self.same(a.id, b.id)),
            (Ty::Symbol(x), Ty::Symbol(y)) => {
                let pairs = self.members(x).iter().enumerate().filter_map(|(i, name)| {
                    let j = self.members(y).iter().position(|other| other == name)?;
                    Some((i, j))
                });
                let pairs: Vec<_> = pairs.collect();
                let mut equal = Vec::new();
                for (i, j) in pairs {
                    let i = self.known(i as i128, Type::Enum(x));
                    let j = self.known(j as i128, Type::Enum(y));
                    let left = self.same(a.id, i);
                    let right = self.same(b.id, j);
                    equal.push(self.and(left, right));
                }
                Some(self.any(equal))
            }
            (Ty::Symbol(id), Ty::Int) | (Ty::Int, Ty::Symbol(id)) => {
                let (member, number) = if a.ty == Ty::Int {
                    (b.id, a.id)
                } else {
                    (a.id, b.id)
                };
                let names = self.members(id).to_vec();
                let mut equal = Vec::new();
                for (index, name) in names.iter().enumerate() {
                    if let Ok(value) = name.parse::<i128>() {
                        let index = self.known(index as i128, Type::Enum(id));
                        let value = self.known(value, Type::Mathint);
                        let left = self.same(member, index);
                        let right = self.same(number, value);
                        equal.push(self.and(left, right));
                    }
                }
                Some(self.any(equal))
            }
            _ => None,
        }
    }
}
