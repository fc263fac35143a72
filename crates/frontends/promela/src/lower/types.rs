//! Types of variables and messages.

use std::rc::Rc;

use model::{EnumDecl, EnumId, RecordId, Root, Type};
use source::Span;

use super::Lowering;
use crate::ast::{Expr, TypeName};
use crate::codes::{names, rules};

/// The type of a variable, without its being an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    /// A machine integer.
    Int {
        /// Width.
        bits: u8,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A channel.
    Channel,
    /// A structure, by its position in the table.
    Structure(usize),
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pub(super) name: Rc<str>,
    pub(super) record: RecordId,
    pub(super) fields: Vec<Variable>,
    pub(super) span: Span,
}

/// What the messages of a channel look like.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) capacity: u32,
    /// The fields, structures taken apart.
    pub(super) fields: Vec<Ty>,
    /// What the numbers in the fields are called.
    pub(super) names: Vec<Option<EnumId>>,
}

/// A variable, or a field of a structure.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: Rc<str>,
    pub(super) ty: Ty,
    /// How many elements, if it is an array.
    pub(super) length: Option<u32>,
    /// Where it is; a field has none of its own.
    pub(super) root: Option<Root>,
    /// The channels that it is made with.
    pub(super) shape: Option<usize>,
    /// What its numbers are called.
    pub(super) names: Option<EnumId>,
    /// A constant first value.
    pub(super) constant: Option<i64>,
    pub(super) span: Span,
}

/// The most elements that an array may have.
const MAX_LENGTH: i64 = 1 << 20;

impl Lowering<'_> {
    /// The type that a name means; `width` is that of an `unsigned`.
    pub(super) fn ty(&mut self, name: &TypeName, width: Option<&Expr>) -> Ty {
        let int = |bits, signed| Ty::Int { bits, signed };
        match name {
            TypeName::Bit => int(1, false),
            TypeName::Byte | TypeName::Pid | TypeName::Mtype(_) => int(8, false),
            TypeName::Short => int(16, true),
            TypeName::Int => int(32, true),
            TypeName::Unsigned => {
                let bits = width.map_or(8, |width| self.positive(width, 32));
                int(u8::try_from(bits).unwrap_or(32), false)
            }
            TypeName::Chan => Ty::Channel,
            TypeName::User(ident) => {
                let found = self.structures.iter().position(|s| s.name == ident.name);
                match found {
                    Some(structure) => Ty::Structure(structure),
                    None => {
                        let message = format!("no type `{}`", ident.name);
                        self.error(names::UNDECLARED, ident.span, message);
                        int(8, false)
                    }
                }
            }
        }
    }

    /// The model's type.
    pub(super) fn model_type(&self, ty: Ty, length: Option<u32>) -> Type {
        let one = match ty {
            Ty::Int { bits, signed } => Type::Int { bits, signed },
            Ty::Channel => Type::Channel,
            Ty::Structure(structure) => Type::Record(self.structures[structure].record),
        };
        match length {
            Some(length) => Type::Array(Box::new(one), length),
            None => one,
        }
    }

    /// A type taken apart into those of its parts that are no structures or arrays.
    pub(super) fn flat(&self, ty: Ty, length: Option<u32>) -> Vec<Ty> {
        let one = match ty {
            Ty::Structure(structure) => self.structures[structure]
                .fields
                .iter()
                .flat_map(|field| self.flat(field.ty, field.length))
                .collect(),
            other => vec![other],
        };
        let times = length.unwrap_or(1) as usize;
        one.iter()
            .copied()
            .cycle()
            .take(one.len() * times)
            .collect()
    }

    /// What the numbers of the parts are called that a type is taken apart into.
    pub(super) fn flat_names(&self, ty: Ty, names: Option<EnumId>) -> Vec<Option<EnumId>> {
        let Ty::Structure(structure) = ty else {
            return vec![names];
        };
        let fields = &self.structures[structure].fields;
        fields
            .iter()
            .flat_map(|field| {
                let one = self.flat_names(field.ty, field.names);
                std::iter::repeat_n(one, field.length.unwrap_or(1) as usize)
            })
            .flatten()
            .collect()
    }

    /// What the numbers of a type are called: those of `mtype` have names.
    pub(super) fn names_of(&mut self, ty: &TypeName) -> Option<EnumId> {
        match ty {
            TypeName::Mtype(kind) => Some(self.mtype_names(kind.as_ref().map(|k| &k.name))),
            _ => None,
        }
    }

    /// The names of one kind of `mtype` constants.
    pub(super) fn mtype_names(&mut self, kind: Option<&Rc<str>>) -> EnumId {
        if let Some(&known) = self.mtype_kinds.get(&kind.cloned()) {
            return known;
        }
        let names = self.program.add_enum(EnumDecl {
            name: kind.map_or("mtype", |kind| kind).to_owned(),
            members: vec!["0".to_owned()],
        });
        self.mtype_kinds.insert(kind.cloned(), names);
        names
    }

    /// The value of a name that is a constant.
    pub(super) fn constant_name(&self, name: &str) -> Option<i64> {
        match name {
            "true" | "skip" => Some(1),
            "false" => Some(0),
            name => {
                let value = self
                    .claim_values
                    .get(name)
                    .or_else(|| self.mtypes.get(name));
                value.copied()
            }
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, e: &Expr) -> Option<i64> {
        use crate::ast::{BinaryOp, ExprKind, UnaryOp};
        let wrap = |value: i64| Some(i64::from(value as i32));
        match &e.kind {
            ExprKind::Number(n) => wrap(*n),
            ExprKind::Reference(r) => {
                let [(ident, None)] = r.parts.as_slice() else {
                    return None;
                };
                self.constant_name(&ident.name)
            }
            ExprKind::Unary(UnaryOp::Minus, a) => wrap(-self.constant(a)?),
            ExprKind::Unary(UnaryOp::Not, a) => Some(i64::from(self.constant(a)? == 0)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                wrap(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    BinaryOp::Divide => a.checked_div(b)?,
                    BinaryOp::Remainder => a.checked_rem(b)?,
                    BinaryOp::ShiftLeft => i64::from((a as i32).wrapping_shl(b as u32)),
                    BinaryOp::ShiftRight => i64::from((a as i32).wrapping_shr(b as u32)),
                    BinaryOp::Greater => i64::from(a > b),
                    BinaryOp::Less => i64::from(a < b),
                    BinaryOp::GreaterEqual => i64::from(a >= b),
                    BinaryOp::LessEqual => i64::from(a <= b),
                    BinaryOp::Equal => i64::from(a == b),
                    BinaryOp::NotEqual => i64::from(a != b),
                    BinaryOp::And => i64::from(a != 0 && b != 0),
                    BinaryOp::Or => i64::from(a != 0 || b != 0),
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// A constant for a length or width: positive and at most `most`.
    pub(super) fn positive(&mut self, e: &Expr, most: i64) -> u32 {
        let mut value = self.constant(e);
        if value.is_none()
            && let crate::ast::ExprKind::Reference(r) = &e.kind
            && let [(ident, None)] = r.parts.as_slice()
        {
            // SPIN takes a variable's first value.
            value = self.globals.get(&ident.name).and_then(|v| v.constant);
        }
        match value {
            Some(value) if value > most => {
                let message = format!("{value} is more than {most}");
                self.error(rules::TOO_LARGE, e.span, message);
                1
            }
            Some(value) if value > 0 => u32::try_from(value).expect("between 1 and the limit"),
            _ => {
                self.error(rules::NOT_CONSTANT, e.span, "a positive constant is needed");
                1
            }
        }
    }

    pub(super) fn array_length(&mut self, length: Option<&Expr>) -> Option<u32> {
        length.map(|length| self.positive(length, MAX_LENGTH))
    }
}
