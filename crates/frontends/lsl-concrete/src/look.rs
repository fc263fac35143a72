//! Expressions of properties on concrete values.
//!
//! `docs/properties.md` says what they mean. Names are looked up here by their spelling, the
//! innermost first: what the pattern at hand brings in, ghosts, the script's variables, builtin
//! constants. Types are those that the values have.

use std::collections::HashMap;

use lsl::Type;
use lsl::ast::{Ast, BinaryOp, ExprId, ExprKind, GlobalId, Name, StateId, Symbol};
use lsl::facts;
use lsl::library;

use crate::operators::{binary, cast, truth, unary};
use crate::script::Script;
use crate::value::{Value, apply};

/// The LSL event being handled.
#[derive(Clone, Debug)]
pub(crate) struct Handling {
    pub(crate) event: &'static str,
    pub(crate) args: Vec<Value>,
}

/// What properties see of a run.
pub(crate) struct View<'a> {
    pub(crate) globals: &'a [Value],
    pub(crate) state: StateId,
    /// The events being handled: the one that the script has woken up for, and `state_exit`.
    pub(crate) handling: &'a [Handling],
    pub(crate) owner: &'a str,
    pub(crate) granted: i32,
    /// Names and types of what is in the object.
    pub(crate) items: &'a dyn Fn(&str) -> i32,
}

/// Ghosts by name.
pub(crate) type Ghosts = HashMap<Symbol, Value>;

/// Names that a pattern brings in.
pub(crate) type Scope = Vec<(Symbol, Value)>;

/// What an expression is read with.
pub(crate) struct Look<'a> {
    pub(crate) script: &'a Script,
    pub(crate) view: &'a View<'a>,
    pub(crate) ghosts: &'a Ghosts,
    /// Their values before the moment at hand.
    pub(crate) before: &'a Ghosts,
    pub(crate) scope: &'a Scope,
    /// The variable that has just changed, and what it was.
    pub(crate) changed: Option<(GlobalId, &'a Value)>,
}

impl Look<'_> {
    fn ast(&self) -> &Ast {
        &self.script.checked.ast
    }

    /// Whether the expression is true.
    pub(crate) fn holds(&self, id: ExprId) -> bool {
        truth(&self.value(id))
    }

    /// The value of an expression now.
    pub(crate) fn value(&self, id: ExprId) -> Value {
        self.at(id, false)
    }

    fn at(&self, id: ExprId, old: bool) -> Value {
        let many =
            |ids: &[ExprId]| -> Vec<Value> { ids.iter().map(|&e| self.at(e, old)).collect() };
        match &self.ast().expr(id).kind {
            ExprKind::Integer(n) => Value::Integer(*n),
            ExprKind::Float(number) => Value::Float((*number).into()),
            ExprKind::String(symbol) => Value::text(self.ast().text(*symbol)),
            ExprKind::Vector(parts) => {
                Value::Vector(parts.map(|part| crate::value::single(self.at(part, old).number())))
            }
            ExprKind::Rotation(parts) => {
                Value::Rotation(parts.map(|part| crate::value::single(self.at(part, old).number())))
            }
            ExprKind::List(parts) => {
                let parts = many(parts).into_iter().map(|part| {
                    let ty = part.ty();
                    narrow(part).stored(ty)
                });
                Value::list(parts.collect())
            }
            ExprKind::Name(name) => self.name(*name, old),
            ExprKind::Member { base, field } => {
                let value = self.name(*base, old);
                component(&value, self.ast().name_text(*field))
            }
            ExprKind::Call {
                function,
                arguments,
            } => self.call(*function, arguments, old),
            ExprKind::Unary { op, operand } => {
                let operand = self.at(*operand, old);
                unary(*op, &operand).unwrap_or(Value::Integer(0))
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let (left, right) = (self.at(*left, old), self.at(*right, old));
                match op {
                    BinaryOp::And => Value::flag(truth(&left) && truth(&right)),
                    BinaryOp::Or => Value::flag(truth(&left) || truth(&right)),
                    // A property is a spectator: division by zero gives 0.
                    _ => binary(*op, &left, &right).unwrap_or(match left {
                        Value::Float(_) => Value::Float(0.0),
                        _ => Value::Integer(0),
                    }),
                }
            }
            ExprKind::Cast { to, operand } => {
                let value = narrow(self.at(*operand, old));
                cast(*to, &value).unwrap_or_else(|_| Value::default_of(*to))
            }
            ExprKind::Parenthesized(inner) => self.at(*inner, old),
            ExprKind::Word { name, .. } => {
                let wanted = self.ast().name_text(*name);
                Value::flag(self.script.state_name(self.view.state) == wanted)
            }
            ExprKind::Error
            | ExprKind::Undecided { .. }
            | ExprKind::Print(_)
            | ExprKind::Step { .. }
            | ExprKind::Assign { .. } => Value::Integer(0),
        }
    }

    /// Whether a name means something already, so that a pattern compares with it.
    pub(crate) fn knows(&self, name: Name) -> bool {
        let text = self.ast().name_text(name);
        self.scope.iter().any(|(symbol, _)| *symbol == name.symbol)
            || self.ghosts.contains_key(&name.symbol)
            || self.script.checked.global_named(text).is_some()
            || facts::constant(text).is_some()
    }

    /// The value of a name that is known.
    pub(crate) fn named(&self, name: Name) -> Value {
        self.name(name, false)
    }

    fn name(&self, name: Name, old: bool) -> Value {
        let inner = self.scope.iter().find(|(symbol, _)| *symbol == name.symbol);
        if let Some((_, value)) = inner {
            return value.clone();
        }
        let ghosts = if old { self.before } else { self.ghosts };
        if let Some(value) = ghosts.get(&name.symbol) {
            return value.clone();
        }
        let text = self.ast().name_text(name);
        if let Some(global) = self.script.checked.global_named(text) {
            return match self.changed {
                Some((changed, before)) if old && changed == global => before.clone(),
                _ => self.view.globals[global.index()].clone(),
            };
        }
        facts::constant(text).map_or(Value::Integer(0), constant)
    }

    fn call(&self, function: Name, arguments: &[ExprId], old: bool) -> Value {
        let name = self.ast().name_text(function);
        match name {
            "old" => return self.at(arguments[0], true),
            "granted" => {
                let wanted = self.at(arguments[0], old).integer();
                return Value::flag(self.view.granted & wanted == wanted);
            }
            "llGetOwner" => return Value::key(self.view.owner),
            "llGetInventoryType" => {
                let item = self.at(arguments[0], old).letters();
                return Value::Integer((self.view.items)(&item));
            }
            _ => {}
        }
        let (Some(entry), Some(function)) = (library::pure(name), facts::function(name)) else {
            return Value::Integer(0);
        };
        let args: Vec<Value> = arguments
            .iter()
            .zip(&function.parameters)
            .map(|(&argument, parameter)| narrow(self.at(argument, old)).stored(parameter.ty))
            .collect();
        let zero = || Value::default_of(function.result.unwrap_or(Type::Integer));
        apply(entry, &args).ok().flatten().unwrap_or_else(zero)
    }
}

/// A mathematical integer where LSL's are wanted.
fn narrow(value: Value) -> Value {
    match value {
        Value::Number(_) => Value::Integer(value.integer()),
        other => other,
    }
}

/// The value of a builtin constant.
pub(crate) fn constant(constant: &facts::Constant) -> Value {
    match &constant.value {
        facts::Value::Integer(n) => Value::Integer(*n),
        facts::Value::Float(number) => Value::Float((*number).into()),
        facts::Value::String(text) => Value::text(text),
        facts::Value::Vector(parts) => Value::Vector(*parts),
        facts::Value::Rotation(parts) => Value::Rotation(*parts),
    }
}

/// `x`, `y`, `z` or `s` of a vector or rotation.
pub(crate) fn component(value: &Value, field: &str) -> Value {
    let index = position(field);
    let part = match value {
        Value::Vector(parts) => parts.get(index).copied(),
        Value::Rotation(parts) => parts.get(index).copied(),
        _ => None,
    };
    Value::Float(part.unwrap_or(0.0).into())
}

/// The position of a component.
pub(crate) fn position(field: &str) -> usize {
    match field {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        _ => 3,
    }
}
