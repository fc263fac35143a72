//! Concrete values, and how the front end's pure functions are asked about them.
//!
//! The pure library functions of [`lsl::library`] compute on values of the model. They are called
//! here with known values only, by a conversion there and back; everything else about values
//! (what a variable stores, which type a list element has) is this crate's own.

use std::fmt;
use std::sync::Arc;

use lsl::Type;
use lsl::library::{self, PureEntry};
use model::{Rich, RichTable};

/// The key of nobody.
pub(crate) const NULL_KEY: &str = "00000000-0000-0000-0000-000000000000";

/// A value of LSL, or a mathematical integer of a ghost.
#[derive(Clone, Debug)]
pub enum Value {
    /// 32 bits, two's complement.
    Integer(i32),
    /// A double while it is a temporary, rounded to binary32 where it is stored.
    Float(f64),
    /// Text.
    Text(Arc<str>),
    /// Text that usually holds a UUID.
    Key(Arc<str>),
    /// Three floats.
    Vector([f32; 3]),
    /// Four floats.
    Rotation([f32; 4]),
    /// Values of the other six types.
    List(Arc<[Value]>),
    /// The value of a `ghost integer`, or of an expression that has met one.
    Number(i128),
}

impl Value {
    pub(crate) fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    pub(crate) fn key(text: &str) -> Value {
        Value::Key(text.into())
    }

    pub(crate) fn list(elements: Vec<Value>) -> Value {
        Value::List(elements.into())
    }

    pub(crate) fn flag(truth: bool) -> Value {
        Value::Integer(i32::from(truth))
    }

    /// The value of a variable without an initialiser.
    pub(crate) fn default_of(ty: Type) -> Value {
        match ty {
            Type::Integer => Value::Integer(0),
            Type::Float => Value::Float(0.0),
            Type::String => Value::text(""),
            Type::Key => Value::key(""),
            Type::Vector => Value::Vector([0.0; 3]),
            Type::Rotation => Value::Rotation([0.0, 0.0, 0.0, 1.0]),
            Type::List => Value::list(Vec::new()),
        }
    }

    pub(crate) fn ty(&self) -> Type {
        match self {
            Value::Integer(_) | Value::Number(_) => Type::Integer,
            Value::Float(_) => Type::Float,
            Value::Text(_) => Type::String,
            Value::Key(_) => Type::Key,
            Value::Vector(_) => Type::Vector,
            Value::Rotation(_) => Type::Rotation,
            Value::List(_) => Type::List,
        }
    }

    /// The same value where one of type `ty` is wanted: integers become floats, strings keys and
    /// the other way round. Floats stay doubles.
    pub(crate) fn converted(self, ty: Type) -> Value {
        match (self, ty) {
            (Value::Integer(n), Type::Float) => Value::Float(n.into()),
            (Value::Text(text), Type::Key) => Value::Key(text),
            (Value::Key(text), Type::String) => Value::Text(text),
            (value, _) => value,
        }
    }

    /// The same value in a variable, parameter or list: floats are rounded.
    pub(crate) fn stored(self, ty: Type) -> Value {
        match self.converted(ty) {
            Value::Float(number) => Value::Float(f64::from(single(number))),
            // `integer *= float` is the one assignment that truncates.
            other => other,
        }
    }

    pub(crate) fn integer(&self) -> i32 {
        match self {
            Value::Integer(n) => *n,
            #[expect(clippy::cast_possible_truncation, reason = "as assigning it would")]
            Value::Number(n) => *n as i32,
            #[expect(
                clippy::cast_possible_truncation,
                reason = "saturation is what is wanted"
            )]
            Value::Float(number) => *number as i32,
            _ => 0,
        }
    }

    pub(crate) fn number(&self) -> f64 {
        match self {
            Value::Integer(n) => f64::from(*n),
            Value::Float(number) => *number,
            _ => 0.0,
        }
    }

    /// The letters of a string or key; empty for other types.
    pub(crate) fn letters(&self) -> Arc<str> {
        match self {
            Value::Text(text) | Value::Key(text) => Arc::clone(text),
            _ => "".into(),
        }
    }

    pub(crate) fn elements(&self) -> Arc<[Value]> {
        match self {
            Value::List(elements) => Arc::clone(elements),
            _ => Vec::new().into(),
        }
    }

    /// Whether a variable that held the one does not change when it is assigned the other.
    pub(crate) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Text(a) | Value::Key(a), Value::Text(b) | Value::Key(b)) => a == b,
            (Value::Vector(a), Value::Vector(b)) => a.map(f32::to_bits) == b.map(f32::to_bits),
            (Value::Rotation(a), Value::Rotation(b)) => a.map(f32::to_bits) == b.map(f32::to_bits),
            (Value::List(a), Value::List(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b.iter())
                        .all(|(a, b)| a.ty() == b.ty() && a.same(b))
            }
            _ => false,
        }
    }

    fn to_model(&self, table: &RichTable) -> model::Value {
        let floats = |parts: &[f32]| -> Vec<model::Value> {
            let doubles = parts.iter().map(|&part| f64::from(part));
            doubles.map(|part| library::float(table, part)).collect()
        };
        match self {
            Value::Integer(n) => model::Value::Int((*n).into()),
            Value::Number(n) => model::Value::Int(*n),
            Value::Float(number) => library::float(table, *number),
            Value::Text(text) | Value::Key(text) => table.text(text),
            Value::Vector(parts) => table.term("vector", floats(parts)),
            Value::Rotation(parts) => table.term("rotation", floats(parts)),
            Value::List(elements) => {
                let elements = elements
                    .iter()
                    .map(|element| library::element(table, &element.to_model(table), element.ty()));
                library::list(table, elements.collect::<Vec<_>>())
            }
        }
    }

    fn from_model(table: &RichTable, value: &model::Value, ty: Type) -> Option<Value> {
        #[expect(clippy::cast_possible_truncation, reason = "components are binary32")]
        fn floats<const N: usize>(table: &RichTable, args: &[model::Value]) -> Option<[f32; N]> {
            let mut parts = [0.0; N];
            for (part, arg) in parts.iter_mut().zip(args) {
                let Rich::Float(bits) = *table.get(arg.rich()) else {
                    return None;
                };
                *part = f64::from_bits(bits) as f32;
            }
            Some(parts)
        }
        if let model::Value::Int(n) = value {
            return i32::try_from(*n).ok().map(Value::Integer);
        }
        let model::Value::Rich(id) = value else {
            return None;
        };
        Some(match (&*table.get(*id), ty) {
            (Rich::Text(text), Type::Key) => Value::key(text),
            (Rich::Text(text), Type::String) => Value::text(text),
            (Rich::Float(bits), Type::Float) => Value::Float(f64::from_bits(*bits)),
            (Rich::Term { functor, args }, Type::Vector) if &**functor == "vector" => {
                Value::Vector(floats(table, args)?)
            }
            (Rich::Term { functor, args }, Type::Rotation) if &**functor == "rotation" => {
                Value::Rotation(floats(table, args)?)
            }
            (Rich::Term { .. }, Type::List) => {
                let elements = library::elements_of(table, value)?;
                let elements = elements.iter().map(|element| {
                    let ty = library::element_type(table, element);
                    Value::from_model(table, element, ty)
                });
                Value::List(elements.collect::<Option<Vec<_>>>()?.into())
            }
            // The wrapper of an element whose type its value does not show.
            (Rich::Term { args, .. }, _) => Value::from_model(table, args.first()?, ty)?,
            _ => return None,
        })
    }
}

/// The nearest binary32 number.
#[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

/// Why an operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Division by zero, or a result that is not a number.
    Math,
    /// The memory of the script is full.
    Memory,
}

/// The value of a pure operation.
///
/// # Errors
/// If the script stops with a run-time error; `None` if the front end cannot tell the value.
pub(crate) fn apply(entry: &PureEntry, args: &[Value]) -> Result<Option<Value>, Fault> {
    let table = RichTable::default();
    let converted: Vec<model::Value> = args.iter().map(|arg| arg.to_model(&table)).collect();
    if (entry.determined)(&table, &converted) == Ok(model::Value::Bool(false)) {
        return Ok(None);
    }
    match (entry.eval)(&table, &converted) {
        Ok(value) => Ok(Value::from_model(&table, &value, entry.result)),
        Err(fault) if fault == library::MATH_ERROR => Err(Fault::Math),
        Err(_) => Err(Fault::Memory),
    }
}

/// As a script's author would write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = |f: &mut fmt::Formatter<'_>, parts: &[f32]| {
            let parts: Vec<String> = parts.iter().map(f32::to_string).collect();
            write!(f, "<{}>", parts.join(", "))
        };
        match self {
            Value::Integer(n) => write!(f, "{n}"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Text(text) | Value::Key(text) => write!(f, "{text:?}"),
            Value::Vector(three) => parts(f, three),
            Value::Rotation(four) => parts(f, four),
            Value::List(elements) => {
                let elements: Vec<String> = elements.iter().map(Value::to_string).collect();
                write!(f, "[{}]", elements.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_functions_take_and_give_concrete_values() {
        let sort = library::pure("llListSort").expect("it computes");
        let list = Value::list(vec![
            Value::Integer(3),
            Value::text("b"),
            Value::Integer(1),
            Value::key("a"),
        ]);
        let args = [list, Value::Integer(2), Value::Integer(1)];
        let sorted = apply(sort, &args).expect("no fault").expect("known");
        assert_eq!(sorted.to_string(), r#"[1, "a", 3, "b"]"#);
        assert_eq!(sorted.elements()[1].ty(), Type::Key);
        let cast = library::cast(Type::String, Type::Vector).expect("a cast");
        let vector = apply(cast, &[Value::text("<1, 2.5, 3>")]).expect("no fault");
        assert_eq!(vector.expect("known").to_string(), "<1, 2.5, 3>");
    }

    #[test]
    fn variables_round_and_convert() {
        let stored = Value::Float(0.1).stored(Type::Float);
        assert!(stored.same(&Value::Float(f64::from(0.1_f32))));
        assert!(!stored.same(&Value::Float(0.1)));
        assert!(
            Value::Integer(2)
                .stored(Type::Float)
                .same(&Value::Float(2.0))
        );
        assert_eq!(Value::text("x").stored(Type::Key).ty(), Type::Key);
    }
}
