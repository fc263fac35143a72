//! Evaluation of expressions.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Interp;
use super::pages::Pages;
use super::state::State;
use crate::expr::{Binary, Expr, Place, Projection, Root, ValueSet};
use crate::ids::{ExprId, FaultId};
use crate::types::Type;
use crate::value::{Pointer, Value};

/// Why an evaluation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// A fault of the program.
    Fault(FaultId),
    /// A mathematical integer left 128 bits.
    Overflow,
}

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) state: &'a State,
    /// The instance that evaluates.
    pub(crate) me: Option<u32>,
    /// The arguments of the observed event.
    pub(crate) arguments: &'a [Value],
    /// The next state's globals, in relations.
    pub(crate) next: Option<&'a Pages<Value>>,
    pub(crate) asked: Asked,
    /// Values of what is inside the expression.
    pub(crate) known: Option<&'a Known>,
}

/// Values that are known already.
pub(crate) type Known = RefCell<HashMap<ExprId, Value>>;

/// In expressions that are larger than this, [written out](crate::ExprPool::written_out), values are
/// remembered: what is used in many places is evaluated once.
const LARGE: u32 = 1 << 10;

/// Values of expressions that are not larger than this are not worth it.
const SMALL: u32 = 4;

/// What is being asked while an expression is evaluated to find the answer out.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked {
    /// The answer to `NothingEnabled`, where it is already being asked.
    pub(crate) timeout: Option<bool>,
    /// Whether `Enabled` is being asked: there it is false.
    pub(crate) enabled: bool,
}

impl<'a> Scope<'a> {
    pub(crate) fn of(state: &'a State, me: u32) -> Self {
        Scope {
            me: Some(me),
            ..Scope::outside(state)
        }
    }

    pub(crate) fn outside(state: &'a State) -> Self {
        Scope {
            state,
            me: None,
            arguments: &[],
            next: None,
            asked: Asked::default(),
            known: None,
        }
    }
}

impl Interp<'_> {
    pub(crate) fn truth(&self, scope: Scope<'_>, id: ExprId) -> Result<bool, Trouble> {
        Ok(self.eval(scope, id)?.truth())
    }

    pub(crate) fn number(&self, scope: Scope<'_>, id: ExprId) -> Result<i128, Trouble> {
        Ok(self.eval(scope, id)?.number())
    }

    pub(crate) fn eval_all(&self, scope: Scope<'_>, ids: &[ExprId]) -> Result<Vec<Value>, Trouble> {
        ids.iter().map(|&id| self.eval(scope, id)).collect()
    }

    pub(crate) fn eval(&self, scope: Scope<'_>, id: ExprId) -> Result<Value, Trouble> {
        let size = self.program.exprs.written_out(id);
        match scope.known {
            None if size > LARGE => {
                let known = Known::default();
                let known = Some(&known);
                self.eval_anew(Scope { known, ..scope }, id)
            }
            Some(known) if size > SMALL => {
                if let Some(value) = known.borrow().get(&id) {
                    return Ok(value.clone());
                }
                let value = self.eval_anew(scope, id)?;
                known.borrow_mut().insert(id, value.clone());
                Ok(value)
            }
            _ => self.eval_anew(scope, id),
        }
    }

    fn eval_anew(&self, scope: Scope<'_>, id: ExprId) -> Result<Value, Trouble> {
        let ty = self.program.exprs.ty(id);
        Ok(match self.program.exprs.get(id) {
            Expr::Const(value) => value.clone(),
            Expr::Load(place) => self.load(scope, place, ty)?,
            Expr::Next(global) => {
                scope.next.expect("`next` stands in relations only")[global.index()].clone()
            }
            Expr::Unary(op, operand) => {
                let value = self.eval(scope, *operand)?;
                op.apply(&value, ty).ok_or(Trouble::Overflow)?
            }
            Expr::Binary(op, left, right) => self.binary(scope, *op, *left, *right, ty)?,
            Expr::Ite(cond, then, otherwise) => {
                let chosen = if self.truth(scope, *cond)? {
                    then
                } else {
                    otherwise
                };
                self.eval(scope, *chosen)?
            }
            Expr::Convert(operand) => self.eval(scope, *operand)?.converted(ty),
            Expr::Tuple(items) => Value::Tuple(self.eval_all(scope, items)?.into()),
            Expr::Apply(function, args) => {
                let args = self.eval_all(scope, args)?;
                (self.program.functions[function.index()].eval)(&self.program.rich, &args)
                    .map_err(Trouble::Fault)?
            }
            Expr::At {
                instance,
                process,
                location,
            } => {
                let number = self.number(scope, *instance)?;
                let found = u32::try_from(number)
                    .ok()
                    .and_then(|number| scope.state.instance(number));
                Value::Bool(found.is_some_and(|instance| {
                    instance.process == *process && instance.location == Some(*location)
                }))
            }
            Expr::AnyAt(places) => {
                let at = |instance: &super::state::Instance| {
                    places.iter().any(|(process, location)| {
                        instance.process == *process && instance.location == Some(*location)
                    })
                };
                Value::Bool(scope.state.living().any(|(_, instance)| at(instance)))
            }
            Expr::First(process) => {
                let mut living = scope.state.living();
                let first = living.find(|(_, instance)| instance.process == *process);
                Value::Int(first.map_or(-1, |(number, _)| number.into()))
            }
            Expr::Enabled(instance) => {
                let number = self.number(scope, *instance)?;
                let asked = Asked {
                    enabled: true,
                    ..scope.asked
                };
                let enabled = u32::try_from(number).is_ok_and(|number| {
                    !scope.asked.enabled
                        && scope.state.instance(number).is_some()
                        && self.can_move(scope.state, number, asked)
                });
                Value::Bool(enabled)
            }
            Expr::NothingEnabled => Value::Bool(match scope.asked.timeout {
                Some(answer) => answer,
                None => {
                    let asked = Asked {
                        timeout: Some(false),
                        ..scope.asked
                    };
                    !scope
                        .state
                        .living()
                        .any(|(number, _)| self.can_move(scope.state, number, asked))
                }
            }),
            Expr::Me => Value::Int(scope.me.expect("an instance evaluates").into()),
            Expr::InstanceCount => Value::Int(scope.state.living().count() as i128),
            Expr::ChannelLen(channel) => {
                let queue = self.queue(scope, *channel)?;
                Value::Int(queue.messages.len() as i128)
            }
            Expr::ChannelCapacity(channel) => {
                let queue = self.queue(scope, *channel)?;
                let capacity = self.program.channels[queue.channel.index()].capacity;
                Value::Int(capacity.map_or(-1, i128::from))
            }
            Expr::Poll {
                channel,
                patterns,
                anywhere,
            } => {
                let patterns = patterns
                    .iter()
                    .map(|p| p.map(|p| self.eval(scope, p)).transpose())
                    .collect::<Result<Vec<_>, _>>()?;
                let queue = self.queue(scope, *channel)?;
                Value::Bool(find_message(&queue.messages, &patterns, *anywhere).is_some())
            }
        })
    }

    fn binary(
        &self,
        scope: Scope<'_>,
        op: Binary,
        left: ExprId,
        right: ExprId,
        ty: &Type,
    ) -> Result<Value, Trouble> {
        let a = self.eval(scope, left)?;
        match op {
            Binary::And if !a.truth() => return Ok(Value::Bool(false)),
            Binary::Or if a.truth() => return Ok(Value::Bool(true)),
            _ => {}
        }
        let b = self.eval(scope, right)?;
        match op {
            Binary::Offset => self.move_pointer(scope, &a, b.number()),
            Binary::Div | Binary::Rem if b.number() == 0 => {
                Err(self.fault(self.program.division_fault))
            }
            _ => op.apply(&a, &b, ty).ok_or(Trouble::Overflow),
        }
    }

    fn move_pointer(&self, scope: Scope<'_>, pointer: &Value, by: i128) -> Result<Value, Trouble> {
        if let Value::Pointer(Pointer::Cell { object, offset }) = *pointer {
            let cells = scope.state.heap[object as usize]
                .as_ref()
                .map_or(0, |object| object.cells.len());
            let moved = i128::from(offset) + by;
            if let Ok(offset) = u32::try_from(moved)
                && offset as usize <= cells
            {
                return Ok(Value::Pointer(Pointer::Cell { object, offset }));
            }
        }
        Err(self.fault(self.program.pointer_fault))
    }

    /// The fault, which a front end that can raise it has declared.
    pub(crate) fn fault(&self, declared: Option<FaultId>) -> Trouble {
        Trouble::Fault(declared.expect("the program declares the faults it can raise"))
    }

    pub(crate) fn queue<'s>(
        &self,
        scope: Scope<'s>,
        channel: ExprId,
    ) -> Result<&'s super::state::Queue, Trouble> {
        let place = self.channel_place(scope, channel)?;
        Ok(scope.state.channels[place]
            .as_ref()
            .expect("a living channel"))
    }

    /// The place of a living channel in the state's table.
    pub(crate) fn channel_place(
        &self,
        scope: Scope<'_>,
        channel: ExprId,
    ) -> Result<usize, Trouble> {
        let reference = self.number(scope, channel)?;
        usize::try_from(reference - 1)
            .ok()
            .filter(|&place| matches!(scope.state.channels.get(place), Some(Some(_))))
            .ok_or_else(|| self.fault(self.program.channel_fault))
    }

    /// Reads a place of type `ty`.
    fn load(&self, scope: Scope<'_>, place: &Place, ty: &Type) -> Result<Value, Trouble> {
        let state = scope.state;
        let mut value = match place.root {
            Root::Global(id) => &state.globals[id.index()],
            Root::Own(local) => {
                let me = self.myself(scope);
                let frame = state.frames[me.frame].as_ref().expect("a frame in use");
                &frame[local as usize]
            }
            Root::Frame(local) => {
                let call = self.myself(scope).calls.last().expect("inside a procedure");
                &call.locals[local as usize]
            }
            Root::Remote {
                instance,
                process,
                local,
            } => {
                let number = self.number(scope, instance)?;
                let found = u32::try_from(number)
                    .ok()
                    .and_then(|number| state.instance(number))
                    .filter(|instance| instance.process == process);
                match found {
                    Some(instance) => {
                        let frame = state.frames[instance.frame].as_ref();
                        &frame.expect("a frame in use")[local as usize]
                    }
                    None => return Ok(self.program.zero(ty)),
                }
            }
            Root::Cell(pointer) => {
                let (object, offset) = self.cell(scope, pointer)?;
                &state.heap[object].as_ref().expect("a living object").cells[offset]
            }
            Root::Argument(argument) => &scope.arguments[argument as usize],
        };
        for projection in &place.path {
            let Value::Tuple(items) = value else {
                panic!("internal error: {value:?} has no parts");
            };
            value = &items[self.projection(scope, projection, items.len())?];
        }
        Ok(value.clone())
    }

    /// The object and offset of a pointer to a cell.
    pub(crate) fn cell(
        &self,
        scope: Scope<'_>,
        pointer: ExprId,
    ) -> Result<(usize, usize), Trouble> {
        if let Value::Pointer(Pointer::Cell { object, offset }) = self.eval(scope, pointer)?
            && let Some(Some(found)) = scope.state.heap.get(object as usize)
            && (offset as usize) < found.cells.len()
        {
            return Ok((object as usize, offset as usize));
        }
        Err(self.fault(self.program.pointer_fault))
    }

    /// The position that a projection picks among `length` parts.
    pub(crate) fn projection(
        &self,
        scope: Scope<'_>,
        projection: &Projection,
        length: usize,
    ) -> Result<usize, Trouble> {
        match projection {
            Projection::Field(field) => Ok(*field as usize),
            Projection::Index(index) => usize::try_from(self.number(scope, *index)?)
                .ok()
                .filter(|&index| index < length)
                .ok_or_else(|| self.fault(self.program.index_fault)),
        }
    }

    fn myself<'s>(&self, scope: Scope<'s>) -> &'s super::state::Instance {
        let me = scope.me.expect("an instance evaluates");
        scope.state.instance(me).expect("the instance exists")
    }

    /// Faults where listing the set does; also where it is too wide to list.
    pub(crate) fn faults_of(&self, scope: Scope<'_>, set: &ValueSet) -> Result<(), Trouble> {
        match set {
            ValueSet::One(one) => self.eval(scope, *one).map(|_| ()),
            ValueSet::Between(lo, hi) => {
                self.eval(scope, *lo)?;
                self.eval(scope, *hi).map(|_| ())
            }
            ValueSet::Union(sets) => sets.iter().try_for_each(|set| self.faults_of(scope, set)),
            ValueSet::Ite(cond, a, b) => {
                let chosen = if self.truth(scope, *cond)? { a } else { b };
                self.faults_of(scope, chosen)
            }
            ValueSet::All(_) => Ok(()),
        }
    }

    /// Whether a value belongs to a set; also where the set is too wide to list.
    pub(crate) fn is_member(
        &self,
        scope: Scope<'_>,
        set: &ValueSet,
        value: &Value,
    ) -> Result<bool, Trouble> {
        Ok(match set {
            ValueSet::One(one) => self.eval(scope, *one)? == *value,
            ValueSet::Between(lo, hi) => {
                let (lo, hi) = (self.number(scope, *lo)?, self.number(scope, *hi)?);
                matches!(value, Value::Int(n) if (lo..=hi).contains(n))
            }
            ValueSet::Union(sets) => {
                for set in sets {
                    if self.is_member(scope, set, value)? {
                        return Ok(true);
                    }
                }
                false
            }
            ValueSet::Ite(cond, a, b) => {
                let chosen = if self.truth(scope, *cond)? { a } else { b };
                self.is_member(scope, chosen, value)?
            }
            ValueSet::All(ty) => self.program.has_type(value, ty),
        })
    }
}

/// The position of the first message, or of any, that matches.
pub(crate) fn find_message(
    messages: &[Vec<Value>],
    patterns: &[Option<Value>],
    anywhere: bool,
) -> Option<usize> {
    let candidates = if anywhere {
        messages
    } else {
        &messages[..messages.len().min(1)]
    };
    candidates.iter().position(|message| {
        message
            .iter()
            .zip(patterns)
            .all(|(field, pattern)| pattern.as_ref().is_none_or(|p| p == field))
    })
}
