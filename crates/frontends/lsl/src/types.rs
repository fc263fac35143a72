//! The seven types of LSL.

use std::fmt;

/// A type of LSL. There are no others: no booleans, arrays or structures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// 32 bits, two's complement, wraps around.
    Integer,
    /// IEEE binary32 once stored.
    Float,
    /// Text.
    String,
    /// A string that usually holds a UUID.
    Key,
    /// Three floats.
    Vector,
    /// Four floats, a quaternion; `rotation` and `quaternion` are one type.
    Rotation,
    /// A sequence of values of the other six types.
    List,
}

impl Type {
    /// All types.
    pub const ALL: [Type; 7] = [
        Type::Integer,
        Type::Float,
        Type::String,
        Type::Key,
        Type::Vector,
        Type::Rotation,
        Type::List,
    ];

    /// The keyword; `rotation` for the type with two.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Type::Integer => "integer",
            Type::Float => "float",
            Type::String => "string",
            Type::Key => "key",
            Type::Vector => "vector",
            Type::Rotation => "rotation",
            Type::List => "list",
        }
    }

    /// The type that a keyword names.
    #[must_use]
    pub fn from_keyword(word: &str) -> Option<Type> {
        if word == "quaternion" {
            return Some(Type::Rotation);
        }
        Type::ALL.into_iter().find(|ty| ty.keyword() == word)
    }

    /// Whether the type is `integer` or `float`.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Type::Integer | Type::Float)
    }

    /// Whether the type is `string` or `key`.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Type::String | Type::Key)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}
