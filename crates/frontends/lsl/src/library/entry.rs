//! What a pure operation is to the lowering: its code, the type of its result, and whether its
//! result is determined by what is known.

use model::{FaultId, PureFunction, Rich, RichTable, Value};

use crate::Type;

/// The script divided by zero, or a scalar division gave no number.
///
/// The lowering adds the faults to the program in the order of these numbers.
pub const MATH_ERROR: FaultId = FaultId(0);

/// The script ran out of memory: a single value exceeds the 64 KiB that a script has in all.
pub const STACK_HEAP: FaultId = FaultId(1);

/// The memory of a script on the Mono virtual machine, in bytes.
const SCRIPT_MEMORY: usize = 65_536;

/// The least that an element of a list takes, in bytes.
const ELEMENT_MEMORY: usize = 16;

/// Why an operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The script stops with a run-time error.
    Fault(FaultId),
    /// The value depends on something that the world decides.
    Unknown,
}

/// The value of an operation, or why it has none.
pub(super) type Answer<T = Value> = Result<T, Stop>;

/// A pure operation of LSL.
#[derive(Clone, Copy)]
pub struct PureEntry {
    /// Its name: that of the library function, or the operator's symbol.
    pub name: &'static str,
    /// The type of its result.
    pub result: Type,
    /// Its code. Unknown arguments give a named unknown, except that an integer which is not
    /// determined is 0.
    ///
    /// # Errors
    /// [`MATH_ERROR`] and [`STACK_HEAP`].
    pub eval: PureFunction,
    /// Whether the value is determined by these arguments, as a `Value::Bool`. Never an error;
    /// true where [`eval`](Self::eval) is a fault.
    pub determined: PureFunction,
}

impl std::fmt::Debug for PureEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PureEntry({} -> {})", self.name, self.result)
    }
}

/// Turns the answer of an operation into a value of the model.
pub(super) fn finish(
    table: &RichTable,
    name: &str,
    result: Type,
    args: &[Value],
    answer: Answer,
) -> Result<Value, FaultId> {
    match answer {
        Ok(value) => within_memory(table, value),
        Err(Stop::Fault(fault)) => Err(fault),
        Err(Stop::Unknown) if result == Type::Integer => Ok(Value::Int(0)),
        Err(Stop::Unknown) => Ok(super::unknown(table, name, args)),
    }
}

/// Whether the answer is not an unknown.
pub(super) fn is_determined(answer: &Answer) -> Value {
    Value::Bool(!matches!(answer, Err(Stop::Unknown)))
}

/// A value that alone exceeds the script's memory is a collision for certain. Smaller values may
/// collide together; how much memory the rest of a script takes is not modelled.
fn within_memory(table: &RichTable, value: Value) -> Result<Value, FaultId> {
    if let Value::Rich(id) = &value {
        let bytes = match &*table.get(*id) {
            Rich::Text(text) => text.len(),
            Rich::Float(_) => 0,
            Rich::Term { args, .. } => args.len() * ELEMENT_MEMORY,
        };
        if bytes > SCRIPT_MEMORY {
            return Err(STACK_HEAP);
        }
    }
    Ok(value)
}

/// A [`PureEntry`] from its name, the type of its result and its code, which is a path to a
/// function or a closure that captures nothing.
macro_rules! entry {
    ($name:literal, $result:ident, $code:expr) => {
        $crate::library::PureEntry {
            name: $name,
            result: $crate::Type::$result,
            eval: |table, args| {
                let answer = ($code)(table, args);
                $crate::library::entry::finish(table, $name, $crate::Type::$result, args, answer)
            },
            determined: |table, args| {
                Ok($crate::library::entry::is_determined(&($code)(table, args)))
            },
        }
    };
}
pub(super) use entry;
