//! Expressions of the script: operands from right to left, arguments and elements from left to
//! right, both sides of `&&` and `||` always.

use lsl::Type;
use lsl::ast::{BinaryOp, ExprId, ExprKind, LocalId};
use lsl::check::Resolution;

use crate::claims::Moment;
use crate::halt::Halt;
use crate::look::{component, constant, position};
use crate::machine::Machine;
use crate::operators::{binary, cast, unary};
use crate::value::{Value, single};

/// How deep expressions may nest here.
const MOST_OPERANDS: usize = 2_000;

impl Machine<'_> {
    /// The value of an expression as the place around it sees it; 0 if it has none.
    pub(crate) fn evaluate(&mut self, id: ExprId) -> Result<Value, Halt> {
        let value = self.plain(id)?;
        Ok(match self.script.checked.exprs.get(id).converted {
            Some(ty) => value.converted(ty),
            None => value,
        })
    }

    fn plain(&mut self, id: ExprId) -> Result<Value, Halt> {
        let script = self.script;
        let ast = &script.checked.ast;
        Ok(match &ast.expr(id).kind {
            ExprKind::Error | ExprKind::Word { .. } | ExprKind::Undecided { .. } => {
                Value::Integer(0)
            }
            ExprKind::Integer(n) => Value::Integer(*n),
            ExprKind::Float(number) => Value::Float((*number).into()),
            ExprKind::String(symbol) => Value::text(ast.text(*symbol)),
            ExprKind::Vector(parts) => {
                let mut three = [0.0; 3];
                for (place, &part) in three.iter_mut().zip(parts) {
                    *place = single(self.evaluate(part)?.number());
                }
                Value::Vector(three)
            }
            ExprKind::Rotation(parts) => {
                let mut four = [0.0; 4];
                for (place, &part) in four.iter_mut().zip(parts) {
                    *place = single(self.evaluate(part)?.number());
                }
                Value::Rotation(four)
            }
            ExprKind::List(parts) => {
                let mut elements = Vec::with_capacity(parts.len());
                for &part in parts {
                    let value = self.evaluate(part)?;
                    let ty = value.ty();
                    elements.push(value.stored(ty));
                }
                Value::list(elements)
            }
            ExprKind::Name(_) => self.read(id),
            ExprKind::Member { field, .. } => component(&self.read(id), ast.name_text(*field)),
            ExprKind::Call { arguments, .. } => self.call(id, arguments)?,
            ExprKind::Print(operand) => {
                self.evaluate(*operand)?;
                Value::Integer(0)
            }
            ExprKind::Unary { op, operand } => unary(*op, &self.evaluate(*operand)?)?,
            ExprKind::Step { place, by, postfix } => {
                let before = self.place_value(*place);
                let by = match before {
                    Value::Float(_) => Value::Float(f64::from(*by)),
                    _ => Value::Integer(*by),
                };
                let after = binary(BinaryOp::Add, &before, &by)?;
                let after = self.assign(*place, after);
                if *postfix { before } else { after }
            }
            ExprKind::Binary { .. } => self.chain(id)?,
            ExprKind::Assign { op, place, value } => {
                let value = self.evaluate(*value)?;
                let value = match op {
                    None => value,
                    Some(op) => {
                        let before = self.place_value(*place);
                        let after = binary(*op, &before, &value)?;
                        match (before, after) {
                            // `integer *= float` is the one that truncates.
                            (Value::Integer(_), after @ Value::Float(_)) => {
                                cast(Type::Integer, &after)?
                            }
                            (_, after) => after,
                        }
                    }
                };
                self.assign(*place, value)
            }
            ExprKind::Cast { to, operand } => {
                let value = self.evaluate(*operand)?;
                cast(*to, &value)?
            }
            ExprKind::Parenthesized(inner) => self.evaluate(*inner)?,
        })
    }

    /// Binary operators along left operands: the rightmost operand is evaluated first.
    fn chain(&mut self, id: ExprId) -> Result<Value, Halt> {
        let script = self.script;
        let ast = &script.checked.ast;
        let (lowest, spine) = ast.left_spine(id);
        if spine.len() > MOST_OPERANDS {
            return Err(Halt::Lost("an expression is very long"));
        }
        let mut operands = Vec::new();
        for &node in spine.iter().rev() {
            let ExprKind::Binary { op, right, .. } = ast.expr(node).kind else {
                continue;
            };
            operands.push((node, op, self.evaluate(right)?));
        }
        let mut left = self.evaluate(lowest)?;
        for (node, op, right) in operands.into_iter().rev() {
            left = binary(op, &left, &right)?;
            if node != id
                && let Some(ty) = self.script.checked.exprs.get(node).converted
            {
                left = left.converted(ty);
            }
        }
        Ok(left)
    }

    /// The whole variable of a name or member.
    fn read(&self, id: ExprId) -> Value {
        match self.script.checked.exprs.resolution(id) {
            Some(Resolution::Global(global)) => {
                // A global's initialiser sees the globals before it only.
                let value = self.globals.get(global.index()).cloned();
                value.unwrap_or(Value::Integer(0))
            }
            Some(Resolution::Local(local)) => {
                let frame = self.frames.last();
                let value = frame.and_then(|frame| frame.locals.get(local.index()));
                value.cloned().unwrap_or(Value::Integer(0))
            }
            Some(Resolution::Constant(named)) => constant(named),
            _ => Value::Integer(0),
        }
    }

    /// The value of a name or member that is about to change.
    fn place_value(&self, place: ExprId) -> Value {
        let script = self.script;
        let ast = &script.checked.ast;
        let place = ast.without_parentheses(place);
        match ast.expr(place).kind {
            ExprKind::Member { field, .. } => component(&self.read(place), ast.name_text(field)),
            _ => self.read(place),
        }
    }

    pub(crate) fn set_local(&mut self, local: LocalId, value: Value) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals[local.index()] = value;
        }
    }

    /// Assigns, and gives what has been stored.
    fn assign(&mut self, place: ExprId, value: Value) -> Value {
        let script = self.script;
        let ast = &script.checked.ast;
        let place = ast.without_parentheses(place);
        let (whole, stored) = match ast.expr(place).kind {
            ExprKind::Member { field, .. } => {
                let stored = value.stored(Type::Float);
                let part = single(stored.number());
                let index = position(ast.name_text(field));
                let mut whole = self.read(place);
                match &mut whole {
                    Value::Vector(parts) if index < 3 => parts[index] = part,
                    Value::Rotation(parts) => parts[index] = part,
                    _ => {}
                }
                (whole, stored)
            }
            _ => {
                let ty = self.read(place).ty();
                let stored = value.stored(ty);
                (stored.clone(), stored)
            }
        };
        match self.script.checked.exprs.resolution(place) {
            Some(Resolution::Global(global)) => self.set_global(global, whole),
            Some(Resolution::Local(local)) => self.set_local(local, whole),
            _ => {}
        }
        stored
    }

    fn call(&mut self, id: ExprId, arguments: &[ExprId]) -> Result<Value, Halt> {
        let script = self.script;
        let mut args = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            args.push(self.evaluate(argument)?);
        }
        match script.checked.exprs.resolution(id) {
            Some(Resolution::Function(function)) => {
                let types = script.parameter_types(function);
                let args: Vec<Value> = args
                    .into_iter()
                    .zip(types)
                    .map(|(arg, ty)| arg.stored(ty))
                    .collect();
                let definition = script.checked.ast.function(function);
                let name = script.checked.ast.name_text(definition.name);
                self.moment(Moment::Call(name), &args);
                let body = script.checked.function_body(function);
                let value = self.run_body(body, definition.body, args)?;
                Ok(match (value, definition.result) {
                    (Some(value), Some(ty)) => value.stored(ty),
                    (None, Some(ty)) => Value::default_of(ty),
                    _ => Value::Integer(0),
                })
            }
            Some(Resolution::Library(function)) => {
                let args: Vec<Value> = args
                    .into_iter()
                    .zip(&function.parameters)
                    .map(|(arg, parameter)| arg.stored(parameter.ty))
                    .collect();
                self.call_library(function, &args)
            }
            _ => Ok(Value::Integer(0)),
        }
    }
}
