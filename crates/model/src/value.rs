//! Values.
//!
//! Rich data (text, floating point, lists, terms) is an id into a
//! [`RichTable`](crate::RichTable), so that equality is one comparison and a state stays flat.

use crate::ids::ProcedureId;

/// A value of some [`Type`](crate::Type).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number of any integer type, the position of an enumeration's member, a channel
    /// reference or an instance number.
    Int(i128),
    /// An interned value.
    Rich(RichId),
    /// A pointer.
    Pointer(Pointer),
    /// A procedure.
    Procedure(ProcedureId),
    /// The elements of an array or the fields of a record.
    Tuple(Box<[Value]>),
}

impl Value {
    /// Whether this is `true`.
    ///
    /// # Panics
    /// If it is not a truth value, which the types rule out.
    #[must_use]
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("internal error: {other:?} is not a truth value"),
        }
    }

    /// The number.
    ///
    /// # Panics
    /// If it is neither a number nor a truth value, which the types rule out.
    #[must_use]
    pub fn number(&self) -> i128 {
        match self {
            Value::Int(n) => *n,
            Value::Bool(b) => i128::from(*b),
            other => panic!("internal error: {other:?} is not a number"),
        }
    }

    /// The id of a rich value.
    ///
    /// # Panics
    /// If it is not one, which the types rule out.
    #[must_use]
    pub fn rich(&self) -> RichId {
        match self {
            Value::Rich(id) => *id,
            other => panic!("internal error: {other:?} is not a rich value"),
        }
    }
}

/// A pointer: nothing, something that is gone, or a cell of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pointer {
    /// Points nowhere.
    Null,
    /// Pointed to an object that has been freed.
    Dangling,
    /// A cell of a living object.
    Cell {
        /// The object's place in the heap.
        object: u32,
        /// The cell's offset; one past the end is a legal value, not a legal place.
        offset: u32,
    },
}

/// The id of an interned value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RichId(pub u32);

/// The structure of an interned value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rich {
    /// Text.
    Text(Box<str>),
    /// A double, by its bits, so that equality is identity (`-0.0` is not `0.0`; what a
    /// language's `==` says is that language's function).
    Float(u64),
    /// A functor and its arguments: lists, vectors, keys, and named unknowns are all terms.
    Term {
        /// What is built.
        functor: Box<str>,
        /// From what.
        args: Box<[Value]>,
    },
}
