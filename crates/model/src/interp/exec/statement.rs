//! Statements, and how a value is stored.

use super::{Break, Run, trouble};
use crate::expr::{Place, Root};
use crate::ids::ExprId;
use crate::interp::Occurrence;
use crate::interp::eval::Scope;
use crate::interp::oracle::{Halt, Oracle};
use crate::interp::state::{Object, Queue, free_place};
use crate::process::{ChannelOwner, Choice, Stmt};
use crate::types::Type;
use crate::value::{Pointer, Value};

impl<O: Oracle> Run<'_, '_, O> {
    pub(super) fn block(
        &mut self,
        me: u32,
        body: &[Stmt],
        arguments: &[Value],
    ) -> Result<(), Break> {
        body.iter()
            .try_for_each(|stmt| self.statement(me, stmt, arguments))
    }

    pub(super) fn eval_with(
        &self,
        me: u32,
        id: ExprId,
        arguments: &[Value],
    ) -> Result<Value, Break> {
        let scope = Scope {
            arguments,
            ..self.scope(me)
        };
        self.interp.eval(scope, id).map_err(|t| trouble(me, t))
    }

    pub(super) fn statement(
        &mut self,
        me: u32,
        stmt: &Stmt,
        arguments: &[Value],
    ) -> Result<(), Break> {
        match stmt {
            Stmt::Assign(place, value) => {
                let value = self.eval_with(me, *value, arguments)?;
                self.store(me, place, value, arguments)?;
            }
            Stmt::Choose(choice) => self.choose(me, choice, arguments)?,
            Stmt::If(cond, then, otherwise) => {
                let holds = self.eval_with(me, *cond, arguments)?.truth();
                self.block(me, if holds { then } else { otherwise }, arguments)?;
            }
            Stmt::Assert { cond, check, span } => {
                if !self.eval_with(me, *cond, arguments)?.truth() {
                    self.occurrences.push(Occurrence::Failed {
                        check: *check,
                        span: *span,
                    });
                }
            }
            Stmt::Assume(cond) => {
                if !self.eval_with(me, *cond, arguments)?.truth() {
                    return Err(Halt::Pruned { assumed: true }.into());
                }
            }
            Stmt::Raise(fault) => return Err(Break::Fault(me, *fault)),
            Stmt::Emit { event, args, span } => {
                let args = args
                    .iter()
                    .map(|&arg| self.eval_with(me, arg, arguments))
                    .collect::<Result<Vec<_>, _>>()?;
                self.occurrences.push(Occurrence::Event {
                    event: *event,
                    args: args.clone(),
                    span: *span,
                });
                for observer in &self.interp.program.observers {
                    if observer.event == *event {
                        self.block(me, &observer.body, &args)?;
                    }
                }
            }
            Stmt::Spawn {
                process,
                args,
                result,
                share_frame,
            } => {
                let args = args
                    .iter()
                    .map(|&arg| self.eval_with(me, arg, arguments))
                    .collect::<Result<Vec<_>, _>>()?;
                let shared = share_frame.then(|| self.state.instance(me).expect("it moves").frame);
                let number = self.spawn(me, *process, args, shared)?;
                if let Some(place) = result {
                    self.store(me, place, Value::Int(number.into()), arguments)?;
                }
            }
            Stmt::NewChannel {
                channel,
                owner,
                result,
            } => {
                let owner = match owner {
                    ChannelOwner::Nobody => None,
                    ChannelOwner::Next => Some(self.interp.next_number(&self.state)),
                };
                let state = self.state.to_mut();
                let place = free_place(&mut state.channels);
                state.channels[place] = Some(Queue {
                    channel: *channel,
                    messages: Vec::new(),
                    owner,
                });
                self.store(me, result, Value::Int(place as i128 + 1), arguments)?;
            }
            Stmt::New { object, result } => {
                let declaration = &self.interp.program.objects[object.index()];
                let zero = self.interp.program.zero(&declaration.cell);
                let state = self.state.to_mut();
                let place = free_place(&mut state.heap);
                state.heap[place] = Some(Object {
                    ty: *object,
                    cells: vec![zero; declaration.cells as usize],
                });
                let pointer = Pointer::Cell {
                    object: u32::try_from(place).expect("fewer than 2^32 objects"),
                    offset: 0,
                };
                self.store(me, result, Value::Pointer(pointer), arguments)?;
            }
            Stmt::Free(pointer) => {
                let Value::Pointer(Pointer::Cell { object, offset: 0 }) =
                    self.eval_with(me, *pointer, arguments)?
                else {
                    return Err(trouble(
                        me,
                        self.interp.fault(self.interp.program.pointer_fault),
                    ));
                };
                let state = self.state.to_mut();
                state.heap[object as usize] = None;
                state.dangle(object);
                while state.heap.last().is_some_and(Option::is_none) {
                    state.heap.pop();
                }
            }
        }
        Ok(())
    }

    pub(super) fn choose(
        &mut self,
        me: u32,
        choice: &Choice,
        arguments: &[Value],
    ) -> Result<(), Break> {
        let scope = Scope {
            arguments,
            asked: self.asked,
            ..Scope::of(&self.state, me)
        };
        let value = self
            .oracle
            .choose(self.interp, scope, choice)
            .map_err(|t| trouble(me, t))??;
        self.choices.push(value.clone());
        if let Some(outside) = choice.outside {
            let instance = self.state.instance(me).expect("it moves");
            let procedure = instance.calls.last().map(|call| call.procedure);
            let process = Some(instance.process);
            self.occurrences.push(Occurrence::Chosen {
                outside,
                ty: self
                    .interp
                    .program
                    .place_type(process, procedure, &choice.place),
                value: value.clone(),
            });
        }
        self.store(me, &choice.place, value, arguments)
    }

    /// A value as its type stores it.
    pub(super) fn fit(&self, me: u32, ty: &Type, value: Value) -> Result<Value, Break> {
        match (ty, &value) {
            (Type::Int { .. }, Value::Int(n)) => Ok(Value::Int(ty.wrap(*n))),
            (Type::Range { lo, hi }, Value::Int(n)) => {
                if (i128::from(*lo)..=i128::from(*hi)).contains(n) {
                    Ok(value)
                } else {
                    Err(trouble(
                        me,
                        self.interp.fault(self.interp.program.range_fault),
                    ))
                }
            }
            _ => Ok(value),
        }
    }

    pub(super) fn store(
        &mut self,
        me: u32,
        place: &Place,
        value: Value,
        arguments: &[Value],
    ) -> Result<(), Break> {
        let instance = self.state.instance(me).expect("it moves");
        let procedure = instance.calls.last().map(|call| call.procedure);
        let ty = self
            .interp
            .program
            .place_type(Some(instance.process), procedure, place);
        let value = self.fit(me, &ty, value)?;
        let scope = Scope {
            arguments,
            ..self.scope(me)
        };
        // Positions first, while the state can be read; then the way down.
        let cell = match place.root {
            Root::Cell(pointer) => Some(
                self.interp
                    .cell(scope, pointer)
                    .map_err(|t| trouble(me, t))?,
            ),
            _ => None,
        };
        let mut lengths =
            self.interp
                .program
                .place_lengths(Some(instance.process), procedure, place);
        lengths.reverse();
        let mut path = Vec::new();
        for projection in &place.path {
            let length = lengths.pop().expect("one length for each projection");
            path.push(
                self.interp
                    .projection(scope, projection, length)
                    .map_err(|t| trouble(me, t))?,
            );
        }
        let frame = instance.frame;
        let state = self.state.to_mut();
        let mut target = match place.root {
            Root::Global(id) => &mut state.globals[id.index()],
            Root::Own(local) => {
                let frame = state.frames[frame].as_mut().expect("a frame in use");
                &mut frame[local as usize]
            }
            Root::Frame(local) => {
                let call = state.instance_mut(me).calls.last_mut();
                &mut call.expect("inside a procedure").locals[local as usize]
            }
            Root::Cell(_) => {
                let (object, offset) = cell.expect("evaluated above");
                let object = state.heap[object].as_mut().expect("a living object");
                &mut object.cells[offset]
            }
            Root::Remote { .. } | Root::Argument(_) => {
                panic!("internal error: {place:?} cannot be assigned to")
            }
        };
        for index in path {
            let Value::Tuple(items) = target else {
                panic!("internal error: {target:?} has no parts");
            };
            target = &mut items[index];
        }
        *target = value;
        Ok(())
    }
}
