//! Where an instance goes next, how one begins, and how one goes away.

use super::{Break, Run, trouble};
use crate::expr::{Place, ValueSet};
use crate::ids::ProcessId;
use crate::interp::Interp;
use crate::interp::oracle::Oracle;
use crate::interp::state::{Call, Instance, State};
use crate::process::{Callee, Choice, Target};
use crate::program::{Composition, IdPolicy, Variable};
use crate::trace::Action;
use crate::value::Value;

impl<O: Oracle> Run<'_, '_, O> {
    /// The instance goes to the step's target.
    pub(super) fn go(&mut self, me: u32, action: Action, target: &Target) -> Result<(), Break> {
        let program = self.interp.program;
        match target {
            Target::Goto(location) => {
                self.state.to_mut().instance_mut(me).location = Some(*location);
            }
            Target::Call {
                callee, args, then, ..
            } => {
                let procedure = match callee {
                    Callee::Known(procedure) => *procedure,
                    Callee::Value(value) => match self.eval(me, *value)? {
                        Value::Procedure(procedure) => procedure,
                        other => panic!("internal error: {other:?} is not a procedure"),
                    },
                };
                let instance = self.state.instance(me).expect("it moves");
                let process = &program.processes[instance.process.index()];
                if instance.calls.len() >= process.max_frames as usize {
                    return Err(trouble(me, self.interp.fault(program.stack_fault)));
                }
                let declaration = &process.procedures[procedure.index()];
                let arguments = args
                    .iter()
                    .zip(&declaration.locals)
                    .map(|(&arg, parameter)| {
                        let value = self.eval(me, arg)?;
                        self.fit(me, &parameter.ty, value)
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                let Action::Step(step) = action else {
                    unreachable!("only steps have targets");
                };
                let locals = self.interp.initial_locals(&declaration.locals, arguments);
                let instance = self.state.to_mut().instance_mut(me);
                instance.calls.push(Call {
                    procedure,
                    locals,
                    then: *then,
                    caller_step: step.0,
                });
                instance.location = Some(declaration.entry);
                self.initialise(me, &declaration.locals[declaration.parameters..], |index| {
                    Place::frame(declaration.parameters + index)
                })?;
            }
            Target::Return(value) => {
                let value = value.map(|value| self.eval(me, value)).transpose()?;
                let instance = self.state.to_mut().instance_mut(me);
                let call = instance
                    .calls
                    .pop()
                    .expect("a return is inside a procedure");
                instance.location = Some(call.then);
                let process = instance.process;
                if let (Some(place), Some(value)) =
                    (program.call_result(process, call.caller_step), value)
                {
                    self.store(me, place, value, &[])?;
                }
            }
            Target::End => {
                let instance = self.state.to_mut().instance_mut(me);
                instance.location = None;
                instance.calls.clear();
                if program.composition
                    == (Composition::Interleaving {
                        ids: IdPolicy::Fresh,
                    })
                {
                    self.leave(me);
                }
            }
        }
        Ok(())
    }

    /// Gives locals their first values.
    pub(super) fn initialise(
        &mut self,
        me: u32,
        variables: &[Variable],
        place: impl Fn(usize) -> Place,
    ) -> Result<(), Break> {
        for (index, variable) in variables.iter().enumerate() {
            if let Some(set) = &variable.init {
                let choice = Choice {
                    place: place(index),
                    set: set.clone(),
                    sample: None,
                    what: variable.name.clone(),
                    outside: None,
                };
                if let ValueSet::One(value) = set {
                    let value = self.eval(me, *value)?;
                    self.store(me, &choice.place, value, &[])?;
                } else {
                    self.choose(me, &choice, &[])?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn spawn(
        &mut self,
        me: u32,
        process: ProcessId,
        args: Vec<Value>,
        shared: Option<usize>,
    ) -> Result<u32, Break> {
        let declaration = &self.interp.program.processes[process.index()];
        let args = args
            .into_iter()
            .zip(&declaration.locals)
            .map(|(value, parameter)| self.fit(me, &parameter.ty, value))
            .collect::<Result<Vec<_>, _>>()?;
        let (number, fresh) = self
            .interp
            .start(self.state.to_mut(), process, args, shared);
        if fresh {
            self.initialise(
                number,
                &declaration.locals[declaration.parameters..],
                |index| Place::own(declaration.parameters + index),
            )?;
        }
        Ok(number)
    }

    pub(super) fn leave(&mut self, me: u32) {
        let state = self.state.to_mut();
        state.instances[me as usize] = None;
        while state.instances.last().is_some_and(Option::is_none) {
            state.instances.pop();
        }
        state.free_frames();
        state.free_channels(me);
    }
}

impl Interp<'_> {
    /// Adds an instance; says its number, and whether its frame is new.
    pub(crate) fn start(
        &self,
        state: &mut State,
        process: ProcessId,
        args: Vec<Value>,
        shared: Option<usize>,
    ) -> (u32, bool) {
        let declaration = &self.program.processes[process.index()];
        let frame = shared.unwrap_or_else(|| {
            let locals = Some(self.initial_locals(&declaration.locals, args));
            let free = state.frames.iter().position(Option::is_none);
            let place = free.unwrap_or(state.frames.len());
            match free {
                Some(place) => state.frames[place] = locals,
                None => state.frames.push(locals),
            }
            place
        });
        let number = self.next_number(state);
        if number as usize == state.instances.len() {
            state.instances.push(None);
        }
        state.instances[number as usize] = Some(self.beginning(process, frame));
        (number, shared.is_none())
    }

    /// Starts an instance while none has gone yet, so that it comes last; gives its number.
    pub(crate) fn start_last(
        &self,
        state: &mut State,
        process: ProcessId,
        args: Vec<Value>,
    ) -> u32 {
        let declaration = &self.program.processes[process.index()];
        let locals = self.initial_locals(&declaration.locals, args);
        let instance = self.beginning(process, state.frames.len());
        state.frames.push(Some(locals));
        state.instances.push(Some(instance));
        u32::try_from(state.instances.len() - 1).expect("fewer than 2^32 instances")
    }

    /// An instance that has done nothing yet.
    fn beginning(&self, process: ProcessId, frame: usize) -> Instance {
        let declaration = &self.program.processes[process.index()];
        Instance {
            process,
            location: (!declaration.starts_ended).then_some(declaration.entry),
            halted: false,
            frame,
            calls: Vec::new(),
        }
    }

    /// The number that the next instance gets.
    pub(super) fn next_number(&self, state: &State) -> u32 {
        let count = state.instances.len();
        let number = match self.program.composition {
            Composition::Interleaving {
                ids: IdPolicy::Stack,
            } => count,
            _ => state
                .instances
                .iter()
                .position(Option::is_none)
                .unwrap_or(count),
        };
        u32::try_from(number).expect("fewer than 2^32 instances")
    }
}
