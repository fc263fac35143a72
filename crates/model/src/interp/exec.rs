//! One move: choices, guards, communication, bodies, targets.

mod instance;
mod message;
mod statement;

use std::borrow::Cow;

use super::eval::{Asked, Scope, Trouble};
use super::oracle::{Halt, Oracle};
use super::state::State;
use super::{Interp, Occurrence};
use crate::ids::{ExprId, FaultId};
use crate::process::{Comm, Step};
use crate::program::VariableKind;
use crate::trace::{Action, Part};
use crate::types::Type;
use crate::value::Value;

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
    /// Copied when it is first changed: guards only look at it.
    state: Cow<'r, State>,
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
        let mut state = run.state.into_owned();
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
        state: &'r State,
        oracle: &'r mut O,
        asked: Asked,
    ) -> Run<'r, 'p, O> {
        Run {
            interp: self,
            oracle,
            state: Cow::Borrowed(state),
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

    /// Whether a variable belongs to the stored state.
    #[must_use]
    pub fn is_stored(&self, global: usize) -> bool {
        self.program.globals[global].kind != VariableKind::Step
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

impl<'p, O: Oracle> Run<'_, 'p, O> {
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

    fn step(&self, part: Part) -> Option<&'p Step> {
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
                self.state.to_mut().globals[leaver.index()] =
                    self.fit(instance, ty, Value::Int(instance.into()))?;
            }
            for array in &self.interp.program.per_instance {
                let Type::Array(element, _) = &self.interp.program.globals[array.index()].ty else {
                    continue;
                };
                if let Value::Tuple(elements) = &mut self.state.to_mut().globals[array.index()]
                    && let Some(element_of_it) = elements.get_mut(instance as usize)
                {
                    *element_of_it = self.interp.program.zero(element);
                }
            }
            return Ok(());
        }
        // Borrowed from the program: the body of a step may be thousands of statements.
        let steps: Vec<&Step> = parts
            .iter()
            .map(|&part| self.step(part).expect("a candidate names steps"))
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

    /// Whether the process of an instance lets it make a move.
    fn is_provided(&self, part: Part) -> Result<bool, Break> {
        let me = part.instance;
        let process = self.state.instance(me).expect("it moves").process;
        let process = &self.interp.program.processes[process.index()];
        let provided = match self.step(part) {
            Some(step) => process.provided_for(step),
            None => process.provided,
        };
        match provided {
            Some(provided) => Ok(self.eval(me, provided)?.truth()),
            None => Ok(true),
        }
    }

    /// Choices, guards, and whether communication is possible; gives the message of a rendezvous.
    fn prepare(&mut self, parts: &[Part]) -> Result<Option<Vec<Value>>, Break> {
        for &part in parts {
            let binds = self.step(part).map_or(&[][..], |step| &step.binds);
            for choice in binds {
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
            if !self.is_provided(part)? {
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
        let instance = self.state.to_mut().instance_mut(me);
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
