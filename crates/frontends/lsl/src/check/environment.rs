//! Names that an expression sees besides a script's own.
//!
//! A handler sees its local variables; a property sees event parameters, ghost
//! variables, the arguments of an observed call, and words such as `old`. Both
//! are an [`Environment`] laid over the script's globals, the library and the
//! builtin constants: what it knows hides what they know.

use super::table::{ExprType, Resolution};
use crate::ast::Symbol;
use crate::types::Type;

/// A variable, or something read like one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variable {
    /// Its type.
    pub ty: Type,
    /// What a use of it is resolved to.
    pub resolution: Resolution,
    /// Whether it may be assigned to.
    pub writable: bool,
}

/// What a function takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parameters {
    /// These types, with the implicit conversions.
    Types(Vec<Type>),
    /// One value of any type, which is also the type of the result, as for
    /// `old(x)`.
    Same,
    /// This many values of any type.
    Any(usize),
}

/// A function, or something called like one.
#[derive(Clone, PartialEq, Debug)]
pub struct Callable {
    /// What it takes.
    pub parameters: Parameters,
    /// What it returns; not looked at for [`Parameters::Same`].
    pub result: Option<Type>,
    /// What a call of it is resolved to.
    pub resolution: Resolution,
}

/// Names laid over those of the script. The methods know nothing unless they
/// are overridden.
pub trait Environment {
    /// The variable with this name. The symbol belongs to the tree being
    /// checked; `text` is its spelling.
    fn variable(&self, symbol: Symbol, text: &str) -> Option<Variable> {
        let _ = (symbol, text);
        None
    }

    /// The function with this name.
    fn callable(&self, symbol: Symbol, text: &str) -> Option<Callable> {
        let _ = (symbol, text);
        None
    }

    /// A word applied to a name, such as `in closed`: its type and meaning.
    /// [`ExprType::Error`] means that the name is wrong; the checker says that
    /// it is not known. `None` means that the word is not known here.
    fn word(&self, word: &str, name: &str) -> Option<(ExprType, Option<Resolution>)> {
        let _ = (word, name);
        None
    }

    /// Names of variables, for proposals when one is misspelt.
    fn variable_names(&self) -> Vec<Symbol> {
        Vec::new()
    }

    /// Names of functions, for proposals when one is misspelt.
    fn callable_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether assignments, `++` and `--` may stand here.
    fn effects(&self) -> bool {
        true
    }
}

/// The environment without names: the script's globals stay.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Environment for Nothing {}
