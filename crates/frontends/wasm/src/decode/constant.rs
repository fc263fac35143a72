//! Constant expressions: the first values of globals, and the places of segments.

use wasmparser::{ConstExpr, Operator};

use super::refusal::Refusal;

/// An instruction of a constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Number(i64),
    Global(u32),
    Add,
    Sub,
    Mul,
    Function(u32),
    Null,
    Other,
}

/// A constant expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Constant(Vec<Op>);

/// What a constant expression gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A number; 32-bit numbers are exact modulo 2^32.
    Number(i64),
    /// The function with this index.
    Function(u32),
    /// No reference.
    Null,
    /// Not known.
    Any,
}

impl Constant {
    pub(crate) fn read(expr: &ConstExpr<'_>) -> Result<Constant, Refusal> {
        let mut ops = Vec::new();
        for operator in expr.get_operators_reader() {
            ops.push(match operator? {
                Operator::I32Const { value } => Op::Number(i64::from(value)),
                Operator::I64Const { value } => Op::Number(value),
                Operator::GlobalGet { global_index } => Op::Global(global_index),
                Operator::I32Add | Operator::I64Add => Op::Add,
                Operator::I32Sub | Operator::I64Sub => Op::Sub,
                Operator::I32Mul | Operator::I64Mul => Op::Mul,
                Operator::RefFunc { function_index } => Op::Function(function_index),
                Operator::RefNull { .. } => Op::Null,
                Operator::End => continue,
                _ => Op::Other,
            });
        }
        Ok(Constant(ops))
    }

    /// Its value, with those of the globals that it reads.
    pub(crate) fn value(&self, global: impl Fn(u32) -> Value) -> Value {
        let mut stack = Vec::new();
        for op in &self.0 {
            let value = match *op {
                Op::Number(number) => Value::Number(number),
                Op::Global(index) => global(index),
                Op::Function(index) => Value::Function(index),
                Op::Null => Value::Null,
                // What is not known makes all of it not known.
                Op::Other => return Value::Any,
                Op::Add | Op::Sub | Op::Mul => {
                    let (right, left) = (stack.pop(), stack.pop());
                    match (left, right) {
                        (Some(Value::Number(a)), Some(Value::Number(b))) => {
                            Value::Number(match op {
                                Op::Add => a.wrapping_add(b),
                                Op::Sub => a.wrapping_sub(b),
                                _ => a.wrapping_mul(b),
                            })
                        }
                        _ => Value::Any,
                    }
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(Value::Any)
    }

    /// The functions that it refers to.
    pub(crate) fn functions(&self) -> impl Iterator<Item = u32> {
        self.0.iter().filter_map(|op| match op {
            Op::Function(index) => Some(*index),
            _ => None,
        })
    }

    /// A reference to a function.
    pub(crate) fn function(index: u32) -> Constant {
        Constant(vec![Op::Function(index)])
    }

    /// No reference.
    pub(crate) fn null() -> Constant {
        Constant(vec![Op::Null])
    }
}
