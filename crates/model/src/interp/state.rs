//! The states of the reference interpreter: plain values, nothing packed.

use super::pages::Pages;
use crate::expr::Place;
use crate::ids::{ChannelId, LocId, ObjectTypeId, ProcedureId, ProcessId};
use crate::program::Program;
use crate::types::Type;
use crate::value::{Pointer, Value};

/// A state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct State {
    /// The global variables, step variables included.
    pub globals: Pages<Value>,
    /// The instances, by their numbers.
    pub instances: Pages<Option<Instance>>,
    /// Parameters and locals of processes; instances refer to them.
    pub frames: Pages<Option<Vec<Value>>>,
    /// The channels; a reference is the position plus one.
    pub channels: Vec<Option<Queue>>,
    /// The objects.
    pub heap: Vec<Option<Object>>,
    /// The exclusive holder: the instance that goes on alone while it can.
    pub holder: Option<u32>,
}

/// A process instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// Its template.
    pub process: ProcessId,
    /// Where it is; `None`: it has ended, or stopped at a fault.
    pub location: Option<LocId>,
    /// Whether a fault stopped it for good.
    pub halted: bool,
    /// Its frame.
    pub frame: usize,
    /// Open procedure calls, the current one last.
    pub calls: Vec<Call>,
}

/// An open procedure call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Its parameters and locals.
    pub locals: Vec<Value>,
    /// Where the caller goes on.
    pub then: LocId,
    /// The step that made the call, by its position: says where the result goes.
    pub caller_step: u32,
}

/// A channel's messages.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue {
    /// Its declaration.
    pub channel: ChannelId,
    /// The messages, oldest first.
    pub messages: Vec<Vec<Value>>,
    /// The number of the instance with which it goes away.
    pub owner: Option<u32>,
}

/// An object made at run time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// Its type.
    pub ty: ObjectTypeId,
    /// Its cells.
    pub cells: Vec<Value>,
}

impl State {
    /// Instances that exist, with their numbers.
    pub fn living(&self) -> impl Iterator<Item = (u32, &Instance)> {
        (0u32..)
            .zip(self.instances.iter())
            .filter_map(|(number, instance)| Some((number, instance.as_ref()?)))
    }

    /// The instance with the highest number.
    pub(crate) fn youngest(&self) -> Option<(u32, &Instance)> {
        let last = self.instances.last()?.as_ref()?;
        let number = u32::try_from(self.instances.len() - 1).expect("fewer than 2^32 instances");
        Some((number, last))
    }

    /// The instance with this number.
    #[must_use]
    pub fn instance(&self, number: u32) -> Option<&Instance> {
        self.instances.get(number as usize)?.as_ref()
    }

    pub(crate) fn instance_mut(&mut self, number: u32) -> &mut Instance {
        self.instances[number as usize]
            .as_mut()
            .expect("the instance that moves exists")
    }

    /// Frees the channels of an instance that goes away.
    pub(crate) fn free_channels(&mut self, owner: u32) {
        for channel in &mut self.channels {
            if channel.as_ref().is_some_and(|c| c.owner == Some(owner)) {
                *channel = None;
            }
        }
        while self.channels.last().is_some_and(Option::is_none) {
            self.channels.pop();
        }
    }

    /// Frees the frames that nobody uses.
    pub(crate) fn free_frames(&mut self) {
        for index in 0..self.frames.len() {
            if self.frames[index].is_some()
                && !self.living().any(|(_, instance)| instance.frame == index)
            {
                self.frames[index] = None;
            }
        }
        while self.frames.last().is_some_and(Option::is_none) {
            self.frames.pop();
        }
    }

    /// Makes every pointer to the object in place `object` dangle.
    pub(crate) fn dangle(&mut self, object: u32) {
        fn visit(value: &mut Value, object: u32) {
            match value {
                Value::Pointer(pointer) => {
                    if matches!(pointer, Pointer::Cell { object: o, .. } if *o == object) {
                        *pointer = Pointer::Dangling;
                    }
                }
                Value::Tuple(items) => items.iter_mut().for_each(|item| visit(item, object)),
                _ => {}
            }
        }
        let globals = self.globals.iter_mut();
        let frames = self.frames.iter_mut().flatten().flatten();
        let locals = self
            .instances
            .iter_mut()
            .flatten()
            .flat_map(|instance| instance.calls.iter_mut().flat_map(|call| &mut call.locals));
        let cells = self.heap.iter_mut().flatten().flat_map(|o| &mut o.cells);
        let messages = self
            .channels
            .iter_mut()
            .flatten()
            .flat_map(|queue| queue.messages.iter_mut().flatten());
        globals
            .chain(frames)
            .chain(locals)
            .chain(cells)
            .chain(messages)
            .for_each(|value| visit(value, object));
    }
}

/// The least free place of a table, made if there is none.
pub(crate) fn free_place<T>(table: &mut Vec<Option<T>>) -> usize {
    table.iter().position(Option::is_none).unwrap_or_else(|| {
        table.push(None);
        table.len() - 1
    })
}

impl Program {
    /// The zero of a type: false, 0 (or the end of a range nearest to it), empty text, nothing.
    #[must_use]
    pub fn zero(&self, ty: &Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Range { lo, hi } => Value::Int(i128::from(0i64.clamp(*lo, *hi))),
            Type::Int { .. } | Type::Mathint | Type::Enum(_) | Type::Channel | Type::Instance => {
                Value::Int(0)
            }
            Type::Rich => self.rich.text(""),
            Type::Array(item, length) => {
                Value::Tuple(vec![self.zero(item); *length as usize].into())
            }
            Type::Record(id) => Value::Tuple(
                self.records[id.index()]
                    .fields
                    .iter()
                    .map(|(_, ty)| self.zero(ty))
                    .collect(),
            ),
            Type::Pointer(_) => Value::Pointer(Pointer::Null),
            Type::Procedure => Value::Procedure(ProcedureId(0)),
        }
    }

    /// Whether a value is one of the type's.
    #[must_use]
    pub fn has_type(&self, value: &Value, ty: &Type) -> bool {
        match (value, ty) {
            (Value::Int(n), Type::Int { .. } | Type::Range { .. }) => {
                ty.bounds().is_some_and(|(lo, hi)| (lo..=hi).contains(n))
            }
            (Value::Int(n), Type::Enum(id)) => {
                usize::try_from(*n).is_ok_and(|n| n < self.enums[id.index()].members.len())
            }
            (Value::Int(n), Type::Channel | Type::Instance) => u32::try_from(*n).is_ok(),
            (Value::Tuple(items), Type::Array(item, length)) => {
                items.len() == *length as usize && items.iter().all(|v| self.has_type(v, item))
            }
            (Value::Tuple(items), Type::Record(id)) => {
                let fields = &self.records[id.index()].fields;
                items.len() == fields.len()
                    && items
                        .iter()
                        .zip(fields)
                        .all(|(v, (_, ty))| self.has_type(v, ty))
            }
            (Value::Bool(_), Type::Bool)
            | (Value::Int(_), Type::Mathint)
            | (Value::Rich(_), Type::Rich)
            | (Value::Pointer(_), Type::Pointer(_))
            | (Value::Procedure(_), Type::Procedure) => true,
            _ => false,
        }
    }

    /// The place where the result of the call made by a step goes.
    pub(crate) fn call_result(&self, process: ProcessId, step: u32) -> Option<&Place> {
        match &self.processes[process.index()].steps[step as usize].target {
            crate::process::Target::Call { result, .. } => result.as_ref(),
            _ => None,
        }
    }
}
