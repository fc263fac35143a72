//! The types of C, as they are on 64-bit machines with two's complement.

use std::rc::Rc;

use model::Type;

/// The type of pointers in the model: the number of an object, and an offset of 33 bits.
pub(crate) const POINTER: Type = Type::Int {
    bits: 45,
    signed: false,
};

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CType {
    /// No value.
    Void,
    /// An integer, `_Bool` apart.
    Int {
        /// Its width.
        bits: u8,
        /// Whether it has negative values.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// A floating-point number of so many bytes; its value is not followed.
    Float(u64),
    /// A pointer.
    Pointer(Rc<CType>),
    /// An array; without a length it is incomplete.
    Array(Rc<CType>, Option<u64>),
    /// A structure or a union, by its place in the table.
    Record(usize),
    /// A function.
    Function(Rc<Signature>),
    /// A type that is not followed.
    Unknown,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// What it gives.
    pub(crate) result: CType,
    /// Its parameters, arrays and functions as pointers.
    pub(crate) parameters: Vec<(Option<String>, CType)>,
    /// Whether more arguments may follow, or their number is not said.
    pub(crate) open: bool,
}

/// A structure or a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// Its tag, for people.
    pub(crate) name: String,
    /// Whether its members share their memory.
    pub(crate) union: bool,
    /// Its members; a structure or union without a name offers its own.
    pub(crate) fields: Vec<Field>,
    /// Whether its members are known.
    pub(crate) complete: bool,
}

/// A member of a structure or a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    /// Its name, if it has one.
    pub(crate) name: Option<String>,
    /// Its type. A bit-field of so many bits is an integer of that width.
    pub(crate) ty: CType,
    /// Of a bit-field, its width and the bits of the type it is declared with, in which it is
    /// packed.
    pub(crate) packed: Option<(u64, u64)>,
}

impl Field {
    /// Whether it only moves what follows: a bit-field without a name.
    pub(crate) fn is_padding(&self) -> bool {
        self.packed.is_some() && self.name.is_none()
    }
}

impl CType {
    pub(crate) const INT: CType = CType::Int {
        bits: 32,
        signed: true,
    };
    pub(crate) const UINT: CType = CType::Int {
        bits: 32,
        signed: false,
    };
    pub(crate) const CHAR: CType = CType::Int {
        bits: 8,
        signed: true,
    };
    pub(crate) const LONG: CType = CType::Int {
        bits: 64,
        signed: true,
    };
    pub(crate) const ULONG: CType = CType::Int {
        bits: 64,
        signed: false,
    };

    pub(crate) fn pointer(to: CType) -> CType {
        CType::Pointer(Rc::new(to))
    }

    /// Whether values are integers.
    pub(crate) fn is_integer(&self) -> bool {
        matches!(self, CType::Int { .. } | CType::Bool)
    }

    /// What a value of the type is in the model; none if it is not followed or no scalar. Unsigned
    /// numbers of 64 bits are kept as signed ones with the same bits, as not all engines have them.
    pub(crate) fn model(&self) -> Option<Type> {
        match *self {
            CType::Int { bits: 64, .. } => Some(Type::Int {
                bits: 64,
                signed: true,
            }),
            CType::Int { bits, signed } => Some(Type::Int { bits, signed }),
            CType::Bool => Some(Type::Int {
                bits: 8,
                signed: false,
            }),
            CType::Pointer(_) => Some(POINTER),
            _ => None,
        }
    }

    /// An integer type by its values.
    pub(crate) fn values(&self) -> Option<Type> {
        match *self {
            CType::Int { bits, signed } => Some(Type::Int { bits, signed }),
            _ => self.model(),
        }
    }

    /// Whether its values are kept as signed numbers although they are not.
    pub(crate) fn is_disguised(&self) -> bool {
        *self == CType::ULONG
    }

    /// An integer type after promotion.
    pub(crate) fn promoted(&self) -> CType {
        match *self {
            CType::Bool => CType::INT,
            CType::Int { bits, .. } if bits < 32 => CType::INT,
            _ => self.clone(),
        }
    }

    /// The type in which two operands meet.
    pub(crate) fn common(&self, other: &CType) -> CType {
        match (self.promoted(), other.promoted()) {
            (
                CType::Int {
                    bits: a,
                    signed: signed_a,
                },
                CType::Int {
                    bits: b,
                    signed: signed_b,
                },
            ) => {
                let bits = a.max(b);
                // The unsigned one of two that are equally wide decides.
                let unsigned = !signed_a && a == bits || !signed_b && b == bits;
                CType::Int {
                    bits,
                    signed: !unsigned,
                }
            }
            (CType::Float(a), CType::Float(b)) => CType::Float(a.max(b)),
            (CType::Float(a), _) | (_, CType::Float(a)) => CType::Float(a),
            (a, _) => a,
        }
    }

    /// As a parameter or an operand: arrays and functions are pointers.
    pub(crate) fn decayed(self) -> CType {
        match self {
            CType::Array(element, _) => CType::Pointer(element),
            CType::Function(_) => CType::pointer(self),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_meet_as_the_standard_says() {
        let unsigned_char = CType::Int {
            bits: 8,
            signed: false,
        };
        assert_eq!(unsigned_char.common(&CType::CHAR), CType::INT);
        assert_eq!(CType::INT.common(&CType::UINT), CType::UINT);
        assert_eq!(CType::LONG.common(&CType::UINT), CType::LONG);
        assert_eq!(CType::LONG.common(&CType::ULONG), CType::ULONG);
        assert_eq!(CType::Bool.promoted(), CType::INT);
    }
}
