//! The types of data.

use crate::ids::{EnumId, ObjectTypeId, RecordId};

/// The type of a variable or an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Truth values.
    Bool,
    /// A machine integer: arithmetic wraps around.
    Int {
        /// Width in bits, 1 to 64.
        bits: u8,
        /// Two's complement if set, else unsigned.
        signed: bool,
    },
    /// The integers `lo..=hi`. Arithmetic on them is exact; storing a value outside is the fault
    /// [`Program::range_fault`](crate::Program::range_fault).
    Range {
        /// The least value.
        lo: i64,
        /// The greatest value.
        hi: i64,
    },
    /// The mathematical integers, for ghosts and for intermediate results. The interpreter keeps
    /// 128 bits and reports more as [`Stop::Overflow`](crate::interp::Stop::Overflow): *not
    /// known*, never a verdict.
    Mathint,
    /// An enumeration; values are the positions of its members.
    Enum(EnumId),
    /// A rich value: text, floating point, a list, a term.
    Rich,
    /// An array of a fixed length.
    Array(Box<Type>, u32),
    /// A record.
    Record(RecordId),
    /// A reference to a channel; 0 is none, `n` is the channel in place `n - 1`.
    Channel,
    /// The number of a process instance.
    Instance,
    /// A pointer to a cell of an object of the given type.
    Pointer(ObjectTypeId),
    /// A procedure of the process that holds the value.
    Procedure,
}

impl Type {
    /// 32-bit two's complement, LSL's and C's `int`.
    pub const INT32: Type = Type::Int {
        bits: 32,
        signed: true,
    };

    /// Whether values are numbers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        matches!(
            self,
            Type::Int { .. } | Type::Range { .. } | Type::Mathint | Type::Enum(_)
        )
    }

    /// The least and greatest value of a bounded integer type.
    #[must_use]
    pub fn bounds(&self) -> Option<(i128, i128)> {
        match *self {
            Type::Bool => Some((0, 1)),
            Type::Int { bits, signed: true } => {
                Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1))
            }
            Type::Int {
                bits,
                signed: false,
            } => Some((0, (1i128 << bits) - 1)),
            Type::Range { lo, hi } => Some((i128::from(lo), i128::from(hi))),
            _ => None,
        }
    }

    /// `value` reduced to this type: machine integers wrap around, others stay as they are.
    #[must_use]
    pub fn wrap(&self, value: i128) -> i128 {
        let Type::Int { bits, signed } = *self else {
            return value;
        };
        let low = value & ((1i128 << bits) - 1);
        if signed && low >> (bits - 1) != 0 {
            low - (1i128 << bits)
        } else {
            low
        }
    }
}

/// An enumeration: a name and its members, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnumDecl {
    /// Its name, for people.
    pub name: String,
    /// The members' names.
    pub members: Vec<String>,
}

/// A record: a name and its fields, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordDecl {
    /// Its name, for people.
    pub name: String,
    /// The fields: name and type.
    pub fields: Vec<(String, Type)>,
}

/// A type of objects created at run time: `cells` cells of one type, so that a pointer is an
/// object and an offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectDecl {
    /// Its name, for people.
    pub name: String,
    /// The type of each cell.
    pub cell: Type,
    /// How many cells an object has.
    pub cells: u32,
}
