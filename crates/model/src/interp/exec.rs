//! One move: choices, guards, communication, bodies, targets.

use super::eval::{Asked, Scope, Trouble, find_message};
use super::oracle::{Halt, Oracle};
use super::state::{Call, Instance, Object, Queue, State, free_place};
use super::{Interp, Occurrence};
use crate::expr::{Place, Root};
use crate::ids::{ExprId, FaultId, ProcessId};
use crate::program::{
    Callee, ChannelOwner, Choice, Comm, Composition, IdPolicy, Pattern, Step, Stmt, Target,
    VariableKind,
};
use crate::trace::{Action, Part};
use crate::types::Type;
use crate::value::{Pointer, Value};

/// What a move leads to.
pub(crate) struct Outcome {
    pub(crate) state: State,
    pub(crate) choices: Vec<Value>,
    pub(crate) occurrences: Vec<Occurrence>,
}

/// Why a statement did not go through.
enum Break {
    Fault(u32, FaultId),
    Halt(Halt),
}

impl From<Halt> for Break {
    fn from(halt: Halt) -> Self {
        Break::Halt(halt)
    }
}

/// A move being made.
struct Run<'r, 'p, O> {
    interp: &'r Interp<'p>,
    oracle: &'r mut O,
    state: State,
    choices: Vec<Value>,
    occurrences: Vec<Occurrence>,
    asked: Asked,
}

impl<'p> Interp<'p> {
    /// Makes a move that is among the candidates.
    pub(crate) fn perform(
        &self,
        state: &State,
        parts: &[Part],
        oracle: &mut impl Oracle,
    ) -> Result<Outcome, Halt> {
        let mut run = self.run(state, oracle, Asked::default());
        match run.whole(parts) {
            Ok(()) => {}
            Err(Break::Fault(instance, fault)) => run.aftermath(instance, fault, parts),
            Err(Break::Halt(halt)) => return Err(halt),
        }
        let mut state = run.state;
        self.settle(&mut state, parts);
        Ok(Outcome {
            state,
            choices: run.choices,
            occurrences: run.occurrences,
        })
    }

    /// Whether guards and communication accept the choices that the oracle makes.
    pub(crate) fn accepts(
        &self,
        state: &State,
        parts: &[Part],
        oracle: &mut impl Oracle,
        asked: Asked,
    ) -> Result<(), Halt> {
        let mut run = self.run(state, oracle, asked);
        match run.prepare(parts) {
            // A guard that faults counts as enabled: taking it raises the fault.
            Ok(_) | Err(Break::Fault(..)) => Ok(()),
            Err(Break::Halt(halt)) => Err(halt),
        }
    }

    fn run<'r, O: Oracle>(
        &'r self,
        state: &State,
        oracle: &'r mut O,
        asked: Asked,
    ) -> Run<'r, 'p, O> {
        Run {
            interp: self,
            oracle,
            state: state.clone(),
            choices: Vec::new(),
            occurrences: Vec::new(),
            asked,
        }
    }

    /// The step that a part takes.
    pub(crate) fn step_of(&self, state: &State, part: Part) -> Option<&'p Step> {
        let Action::Step(step) = part.action else {
            return None;
        };
        let process = state.instance(part.instance)?.process;
        self.program.processes[process.index()]
            .steps
            .get(step.index())
    }

    /// First values of variables, given in order, with those before them in place.
    pub(crate) fn initial_locals(
        &self,
        variables: &[crate::program::Variable],
        arguments: Vec<Value>,
    ) -> Vec<Value> {
        let mut locals = arguments;
        for variable in &variables[locals.len()..] {
            locals.push(self.program.zero(&variable.ty));
        }
        locals
    }
}

impl<O: Oracle> Run<'_, '_, O> {
    fn scope(&self, me: u32) -> Scope<'_> {
        Scope {
            asked: self.asked,
            ..Scope::of(&self.state, me)
        }
    }

    fn eval(&self, me: u32, id: ExprId) -> Result<Value, Break> {
        self.interp
            .eval(self.scope(me), id)
            .map_err(|t| trouble(me, t))
    }

    fn step(&self, part: Part) -> Option<&'_ Step> {
        self.interp.step_of(&self.state, part)
    }

    fn whole(&mut self, parts: &[Part]) -> Result<(), Break> {
        if let [
            Part {
                instance,
                action: Action::Leave,
            },
        ] = *parts
        {
            self.prepare(parts)?;
            self.leave(instance);
            if let Some(leaver) = self.interp.program.leaver {
                let ty = &self.interp.program.globals[leaver.index()].ty;
                self.state.globals[leaver.index()] =
                    self.fit(instance, ty, Value::Int(instance.into()))?;
            }
            return Ok(());
        }
        let steps: Vec<Step> = parts
            .iter()
            .map(|&part| self.step(part).expect("a candidate names steps").clone())
            .collect();
        let message = self.prepare(parts)?;
        for (part, step) in parts.iter().zip(&steps) {
            self.occurrences.push(Occurrence::Step {
                part: *part,
                span: step.span,
            });
        }
        self.communicate(parts, &steps, message)?;
        for (part, step) in parts.iter().zip(&steps) {
            self.block(part.instance, &step.body, &[])?;
            self.go(part.instance, part.action, &step.target)?;
        }
        Ok(())
    }

    /// Whether the process of an instance may move at all.
    fn is_provided(&self, me: u32) -> Result<bool, Break> {
        let process = self.state.instance(me).expect("it moves").process;
        match self.interp.program.processes[process.index()].provided {
            Some(provided) => Ok(self.eval(me, provided)?.truth()),
            None => Ok(true),
        }
    }

    /// Choices, guards, and whether communication is possible; gives the message of a rendezvous.
    fn prepare(&mut self, parts: &[Part]) -> Result<Option<Vec<Value>>, Break> {
        for &part in parts {
            let binds = self
                .step(part)
                .map_or(Vec::new(), |step| step.binds.clone());
            for choice in &binds {
                self.choose(part.instance, choice, &[])
                    .map_err(|halt| match halt {
                        Break::Halt(Halt::Pruned { .. }) => {
                            Break::Halt(Halt::Pruned { assumed: false })
                        }
                        other => other,
                    })?;
            }
        }
        let comms: Vec<(u32, Comm)> = parts
            .iter()
            .filter_map(|&part| Some((part.instance, self.step(part)?.comm.clone()?)))
            .collect();
        // Those who do not mean the same channel do not meet: nothing else is looked at.
        if let [
            (sender, Comm::Send { channel, .. }),
            (receiver, Comm::Receive { channel: other, .. }),
        ] = comms.as_slice()
        {
            let meet = match (self.eval(*sender, *channel), self.eval(*receiver, *other)) {
                (Ok(a), Ok(b)) => a == b,
                (Err(Break::Halt(halt)), _) | (_, Err(Break::Halt(halt))) => {
                    return Err(halt.into());
                }
                _ => false,
            };
            if !meet {
                return Err(Halt::Pruned { assumed: false }.into());
            }
        }
        for &part in parts {
            let guard = self.step(part).and_then(|step| step.guard);
            if !self.is_provided(part.instance)? {
                return Err(Halt::Pruned { assumed: false }.into());
            }
            if let Some(guard) = guard
                && !self.eval(part.instance, guard)?.truth()
            {
                return Err(Halt::Pruned { assumed: false }.into());
            }
        }
        match comms.as_slice() {
            [
                (
                    sender,
                    Comm::Send {
                        channel, message, ..
                    },
                ),
                (receiver, Comm::Receive { patterns, .. }),
            ] => {
                let message = self.message(*sender, *channel, message)?;
                let offered = std::slice::from_ref(&message);
                match self.matches(*receiver, patterns, offered, false)? {
                    Some(_) => Ok(Some(message)),
                    None => Err(Halt::Pruned { assumed: false }.into()),
                }
            }
            [(me, Comm::Send { channel, lossy, .. })] => {
                let queue = self.queue(*me, *channel)?;
                let capacity = self.interp.program.channels[queue.channel.index()].capacity;
                let full =
                    capacity.is_some_and(|capacity| queue.messages.len() >= capacity as usize);
                // A rendezvous needs a partner.
                if full && (!lossy || capacity == Some(0)) {
                    return Err(Halt::Pruned { assumed: false }.into());
                }
                Ok(None)
            }
            [
                (
                    me,
                    Comm::Receive {
                        channel,
                        patterns,
                        anywhere,
                        ..
                    },
                ),
            ] => {
                let messages = self.queue(*me, *channel)?.messages.clone();
                match self.matches(*me, patterns, &messages, *anywhere)? {
                    Some(_) => Ok(None),
                    None => Err(Halt::Pruned { assumed: false }.into()),
                }
            }
            _ => Ok(None),
        }
    }

    fn queue(&self, me: u32, channel: ExprId) -> Result<&Queue, Break> {
        self.interp
            .queue(self.scope(me), channel)
            .map_err(|t| trouble(me, t))
    }

    fn matches(
        &self,
        me: u32,
        patterns: &[Pattern],
        messages: &[Vec<Value>],
        anywhere: bool,
    ) -> Result<Option<usize>, Break> {
        let wanted = patterns
            .iter()
            .map(|pattern| match pattern {
                Pattern::Match(value) => self.eval(me, *value).map(Some),
                Pattern::Bind(_) | Pattern::Any => Ok(None),
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(find_message(messages, &wanted, anywhere))
    }

    /// The message, its fields reduced to the channel's types.
    fn message(&self, me: u32, channel: ExprId, fields: &[ExprId]) -> Result<Vec<Value>, Break> {
        let declaration = self.queue(me, channel)?.channel;
        let types = &self.interp.program.channels[declaration.index()].fields;
        fields
            .iter()
            .zip(types)
            .map(|(&field, ty)| {
                let value = self.eval(me, field)?;
                self.fit(me, ty, value)
            })
            .collect()
    }

    fn communicate(
        &mut self,
        parts: &[Part],
        steps: &[Step],
        rendezvous: Option<Vec<Value>>,
    ) -> Result<(), Break> {
        if let Some(message) = rendezvous {
            let Some(Comm::Receive { patterns, .. }) = &steps[1].comm else {
                unreachable!("a rendezvous has a receiver");
            };
            return self.bind(parts[1].instance, patterns, message);
        }
        let me = parts[0].instance;
        match &steps[0].comm {
            Some(Comm::Send {
                channel,
                message,
                sorted,
                ..
            }) => {
                let message = self.message(me, *channel, message)?;
                let place = self.channel_place(me, *channel)?;
                let declaration = self.queue(me, *channel)?.channel;
                let capacity = self.interp.program.channels[declaration.index()].capacity;
                let queue = self.state.channels[place]
                    .as_mut()
                    .expect("a living channel");
                if capacity.is_some_and(|capacity| queue.messages.len() >= capacity as usize) {
                    return Ok(());
                }
                let at = if *sorted {
                    queue.messages.iter().position(|other| message < *other)
                } else {
                    None
                };
                queue
                    .messages
                    .insert(at.unwrap_or(queue.messages.len()), message);
                Ok(())
            }
            Some(Comm::Receive {
                channel,
                patterns,
                anywhere,
                keep,
            }) => {
                let place = self.channel_place(me, *channel)?;
                let messages = self.queue(me, *channel)?.messages.clone();
                let at = self
                    .matches(me, patterns, &messages, *anywhere)?
                    .expect("a message matched before");
                if !keep {
                    let queue = self.state.channels[place]
                        .as_mut()
                        .expect("a living channel");
                    queue.messages.remove(at);
                }
                self.bind(me, patterns, messages[at].clone())
            }
            Some(Comm::Barrier(_)) | None => Ok(()),
        }
    }

    fn channel_place(&self, me: u32, channel: ExprId) -> Result<usize, Break> {
        self.interp
            .channel_place(self.scope(me), channel)
            .map_err(|t| trouble(me, t))
    }

    fn bind(&mut self, me: u32, patterns: &[Pattern], message: Vec<Value>) -> Result<(), Break> {
        for (pattern, field) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.store(me, place, field, &[])?;
            }
        }
        Ok(())
    }

    fn block(&mut self, me: u32, body: &[Stmt], arguments: &[Value]) -> Result<(), Break> {
        body.iter()
            .try_for_each(|stmt| self.statement(me, stmt, arguments))
    }

    fn eval_with(&self, me: u32, id: ExprId, arguments: &[Value]) -> Result<Value, Break> {
        let scope = Scope {
            arguments,
            ..self.scope(me)
        };
        self.interp.eval(scope, id).map_err(|t| trouble(me, t))
    }

    fn statement(&mut self, me: u32, stmt: &Stmt, arguments: &[Value]) -> Result<(), Break> {
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
                let place = free_place(&mut self.state.channels);
                self.state.channels[place] = Some(Queue {
                    channel: *channel,
                    messages: Vec::new(),
                    owner,
                });
                self.store(me, result, Value::Int(place as i128 + 1), arguments)?;
            }
            Stmt::New { object, result } => {
                let declaration = &self.interp.program.objects[object.index()];
                let zero = self.interp.program.zero(&declaration.cell);
                let place = free_place(&mut self.state.heap);
                self.state.heap[place] = Some(Object {
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
                self.state.heap[object as usize] = None;
                self.state.dangle(object);
                while self.state.heap.last().is_some_and(Option::is_none) {
                    self.state.heap.pop();
                }
            }
        }
        Ok(())
    }

    fn choose(&mut self, me: u32, choice: &Choice, arguments: &[Value]) -> Result<(), Break> {
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
        self.store(me, &choice.place, value, arguments)
    }

    /// A value as its type stores it.
    fn fit(&self, me: u32, ty: &Type, value: Value) -> Result<Value, Break> {
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

    fn store(
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
        let mut target = match place.root {
            Root::Global(id) => &mut self.state.globals[id.index()],
            Root::Own(local) => {
                let frame = self.state.frames[frame].as_mut().expect("a frame in use");
                &mut frame[local as usize]
            }
            Root::Frame(local) => {
                let call = self.state.instance_mut(me).calls.last_mut();
                &mut call.expect("inside a procedure").locals[local as usize]
            }
            Root::Cell(_) => {
                let (object, offset) = cell.expect("evaluated above");
                let object = self.state.heap[object].as_mut().expect("a living object");
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

    /// The instance goes to the step's target.
    fn go(&mut self, me: u32, action: Action, target: &Target) -> Result<(), Break> {
        let program = self.interp.program;
        match target {
            Target::Goto(location) => self.state.instance_mut(me).location = Some(*location),
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
                let instance = self.state.instance_mut(me);
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
                let instance = self.state.instance_mut(me);
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
                let instance = self.state.instance_mut(me);
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
    fn initialise(
        &mut self,
        me: u32,
        variables: &[crate::program::Variable],
        place: impl Fn(usize) -> Place,
    ) -> Result<(), Break> {
        for (index, variable) in variables.iter().enumerate() {
            if let Some(set) = &variable.init {
                let choice = Choice {
                    place: place(index),
                    set: set.clone(),
                    sample: None,
                    what: variable.name.clone(),
                };
                if let crate::expr::ValueSet::One(value) = set {
                    let value = self.eval(me, *value)?;
                    self.store(me, &choice.place, value, &[])?;
                } else {
                    self.choose(me, &choice, &[])?;
                }
            }
        }
        Ok(())
    }

    fn spawn(
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
        let (number, fresh) = self.interp.start(&mut self.state, process, args, shared);
        if fresh {
            self.initialise(
                number,
                &declaration.locals[declaration.parameters..],
                |index| Place::own(declaration.parameters + index),
            )?;
        }
        Ok(number)
    }

    fn leave(&mut self, me: u32) {
        self.state.instances[me as usize] = None;
        while self.state.instances.last().is_some_and(Option::is_none) {
            self.state.instances.pop();
        }
        self.state.free_frames();
        self.state.free_channels(me);
    }

    /// What follows a fault.
    fn aftermath(&mut self, me: u32, fault: FaultId, parts: &[Part]) {
        let span = parts
            .iter()
            .find(|part| part.instance == me)
            .and_then(|&part| self.step(part))
            .map_or(source::Span::NONE, |step| step.span);
        self.occurrences.push(Occurrence::Fault {
            fault,
            instance: me,
            span,
        });
        let instance = self.state.instance_mut(me);
        instance.calls.clear();
        instance.location = self.interp.program.processes[instance.process.index()].on_fault;
        instance.halted = instance.location.is_none();
    }
}

fn trouble(me: u32, trouble: Trouble) -> Break {
    match trouble {
        Trouble::Fault(fault) => Break::Fault(me, fault),
        Trouble::Overflow => Break::Halt(Halt::Overflow),
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
            let place = free_place(&mut state.frames);
            state.frames[place] = Some(self.initial_locals(&declaration.locals, args));
            place
        });
        let number = self.next_number(state);
        if number as usize == state.instances.len() {
            state.instances.push(None);
        }
        state.instances[number as usize] = Some(Instance {
            process,
            location: Some(declaration.entry),
            halted: false,
            frame,
            calls: Vec::new(),
        });
        (number, shared.is_none())
    }

    /// The number that the next instance gets.
    fn next_number(&self, state: &State) -> u32 {
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

    /// Whether a variable belongs to the stored state.
    #[must_use]
    pub fn is_stored(&self, global: usize) -> bool {
        self.program.globals[global].kind != VariableKind::Step
    }
}
