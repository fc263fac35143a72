//! How an event gets from the world to the script.
//!
//! Lazily, the two meet at a rendezvous, and the event's values are written into variables that
//! live for this macro step. Eagerly, they go into a queue, and the script takes them out in a
//! later macro step; this is slower and kept to test that nobody can tell the difference.

use std::collections::BTreeSet;

use model::{
    Binary, Channel, ChannelId, Choice, Comm, ExprId, GlobalId, Pattern, Place, Program, Step,
    StepId, Stmt, Type as ModelType,
};
use source::Span;

use super::WORLD;
use crate::facts;
use crate::linkset::member::{Member, is_spontaneous};
use crate::lower::Build;
use crate::types::Type;

/// A step of the world that brings an event.
#[derive(Debug)]
pub(crate) struct Arrival {
    /// The LSL event.
    pub(crate) event: &'static str,
    /// Choices of its values, into their variables.
    pub(crate) binds: Vec<Choice>,
    /// When it can happen.
    pub(crate) guard: Option<ExprId>,
    /// What happens in the world.
    pub(crate) body: Vec<Stmt>,
}

/// The queue of eager delivery. A message is the event's number, then its integers, then its
/// other values.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) channel: ChannelId,
    events: Vec<&'static str>,
    integers: usize,
    riches: usize,
}

impl Queue {
    pub(crate) fn declare(
        program: &mut Program,
        capacity: u32,
        handled: impl Iterator<Item = &'static str>,
    ) -> Queue {
        let events: Vec<&'static str> = handled.collect();
        let most = |wanted: fn(Type) -> bool| {
            let count = |name: &&'static str| {
                facts::event(name).map_or(0, |event| {
                    event.parameters.iter().filter(|p| wanted(p.ty)).count()
                })
            };
            events.iter().map(count).max().unwrap_or(0)
        };
        let integers = most(|ty| ty == Type::Integer);
        let riches = most(|ty| ty != Type::Integer);
        let mut fields = vec![ModelType::INT32; integers + 1];
        fields.extend(vec![ModelType::Rich; riches]);
        let channel = program.add_channel(Channel {
            name: "queue".to_owned(),
            capacity: Some(capacity),
            fields,
            from_start: true,
            owner: None,
        });
        Queue {
            channel,
            events,
            integers,
            riches,
        }
    }

    fn number(&self, event: &str) -> i32 {
        let place = self.events.iter().position(|other| *other == event);
        place
            .and_then(|place| i32::try_from(place).ok())
            .unwrap_or(-1)
    }

    /// Sorts an event's values into the fields of a message.
    fn fields<T: Clone>(&self, event: &str, values: &[T], integer: T, rich: T, first: T) -> Vec<T> {
        let types: Vec<Type> = facts::event(event).map_or(Vec::new(), |event| {
            event.parameters.iter().map(|p| p.ty).collect()
        });
        let of = |wanted: bool| {
            types
                .iter()
                .zip(values)
                .filter(move |(ty, _)| (**ty == Type::Integer) == wanted)
                .map(|(_, value)| value.clone())
        };
        let mut fields = vec![first];
        fields.extend(of(true));
        fields.resize(1 + self.integers, integer);
        fields.extend(of(false));
        fields.resize(1 + self.integers + self.riches, rich);
        fields
    }
}

impl Build {
    fn channel(&mut self, channel: ChannelId) -> ExprId {
        let reference = i128::from(channel.0) + 1;
        self.program.exprs.int(reference, ModelType::Channel)
    }

    /// Adds a step of the world that leads nowhere else.
    pub(crate) fn world_step(&mut self, name: &str, mut step: Step) -> StepId {
        step.label = Some(name.to_owned());
        let id = self.world_process.add_step(step);
        let steps = self.world.steps.entry(name.to_owned()).or_default();
        steps.push((WORLD, id));
        id
    }

    /// A step of the world, to be filled.
    pub(crate) fn idle_step(&self) -> Step {
        let idle = self.world_process.entry;
        Step::new(idle, idle, Span::NONE)
    }

    /// Adds the step that brings an event.
    pub(crate) fn arrive(&mut self, member: Option<Member<'_>>, arrival: Arrival) {
        let Arrival {
            event,
            mut binds,
            mut guard,
            mut body,
        } = arrival;
        if member.is_some_and(|member| member.shares(event)) {
            // Others hear of the same. Here each hears of something; a run in which that matters need
            // not exist.
            let what = format!("which scripts hear of `{event}`, and in which order");
            self.doubt(&what, &mut binds, &mut guard);
        }
        if event != "timer"
            && let Some((count, most)) = self.world.since_timer
        {
            let allowed = self.may_go_on_until_timer(count, most);
            guard = Some(match guard {
                Some(guard) => self.and(guard, allowed),
                None => allowed,
            });
            body.push(self.count_event(count));
        }
        if let Some(number) = self.world.number_detected
            && facts::event(event).is_some_and(|event| event.detected)
            && let Some(&count) = self.world.arguments.get(event).and_then(|all| all.first())
        {
            let count = self.read(count);
            body.push(self.set(number, count));
        }
        let mut step = self.idle_step();
        step.binds = binds;
        step.guard = guard;
        step.body = body;
        step.comm = Some(self.send(event));
        let is_awaited = member.is_some() && !is_spontaneous(event);
        let Some(waits) = self.message_waits().filter(|_| is_awaited) else {
            self.world_step(event, step);
            return;
        };
        // What the script itself has asked for may have come behind messages that wait.
        let mut late = step.clone();
        let none = self.not(waits);
        step.guard = self.all(step.guard.into_iter().chain([none]));
        self.world_step(event, step);
        late.guard = self.all(late.guard.into_iter().chain([waits]));
        let what = format!("whether `{event}` comes before messages that wait");
        self.doubt(&what, &mut late.binds, &mut late.guard);
        self.world_step(event, late);
    }

    /// Makes a step one that need not be possible.
    fn doubt(&mut self, what: &str, binds: &mut Vec<Choice>, guard: &mut Option<ExprId>) {
        let (choice, goes_on) = self.doubtful(what, Span::NONE);
        binds.push(choice);
        *guard = self.all(guard.take().into_iter().chain([goes_on]));
    }

    fn may_go_on_until_timer(&mut self, count: GlobalId, most: i64) -> ExprId {
        let armed = self.read(self.world.armed);
        let idle = self.not(armed);
        let count_so_far = self.read(count);
        let ty = self.program.globals[count.index()].ty.clone();
        let most = self.program.exprs.int(i128::from(most), ty);
        let below = self.program.exprs.binary(Binary::Lt, count_so_far, most);
        self.or(idle, below)
    }

    fn count_event(&mut self, count: GlobalId) -> Stmt {
        let armed = self.read(self.world.armed);
        let ty = self.program.globals[count.index()].ty.clone();
        let so_far = self.read(count);
        let one = self.program.exprs.int(1, ty);
        let sum = self.program.exprs.binary(Binary::Add, so_far, one);
        Stmt::If(
            armed,
            vec![Stmt::Assign(Place::global(count), sum)],
            Vec::new(),
        )
    }

    /// The communication by which the world brings an event.
    fn send(&mut self, event: &'static str) -> Comm {
        let Some(queue) = self.world.queue.clone() else {
            let channel = self.world.channels[event];
            return Comm::Send {
                channel: self.channel(channel),
                message: Vec::new(),
                sorted: false,
                lossy: false,
            };
        };
        let places = self.world.arguments.get(event).cloned().unwrap_or_default();
        let values: Vec<ExprId> = places.iter().map(|&place| self.read(place)).collect();
        let (zero, empty) = (self.int(0), self.text(""));
        let number = self.int(queue.number(event));
        Comm::Send {
            channel: self.channel(queue.channel),
            message: queue.fields(event, &values, zero, empty, number),
            sorted: false,
            lossy: false,
        }
    }

    /// The communication by which the script gets an event.
    pub(crate) fn receive(&mut self, event: &'static str) -> Comm {
        if event == "link_message"
            && let Some(message) = self.receive_message(event)
        {
            return message;
        }
        let Some(queue) = self.world.queue.clone() else {
            let channel = self.world.channels[event];
            return Comm::Receive {
                channel: self.channel(channel),
                patterns: Vec::new(),
                anywhere: false,
                keep: false,
            };
        };
        let places = self.world.arguments.get(event).cloned().unwrap_or_default();
        self.receive_into(&queue, event, &places)
    }

    /// Takes an event of a kind out of the queue, its values into variables.
    pub(crate) fn receive_into(
        &mut self,
        queue: &Queue,
        event: &'static str,
        places: &[GlobalId],
    ) -> Comm {
        let patterns: Vec<Pattern> = places
            .iter()
            .map(|&place| Pattern::Bind(Place::global(place)))
            .collect();
        let number = self.int(queue.number(event));
        Comm::Receive {
            channel: self.channel(queue.channel),
            patterns: queue.fields(
                event,
                &patterns,
                Pattern::Any,
                Pattern::Any,
                Pattern::Match(number),
            ),
            anywhere: false,
            keep: false,
        }
    }

    /// The kinds of events that wait in the queue.
    pub(crate) fn queued_events(queue: &Queue) -> BTreeSet<&'static str> {
        queue.events.iter().copied().collect()
    }

    /// Whether the queue is empty.
    pub(crate) fn queue_is_empty(&mut self, queue: &Queue) -> ExprId {
        let channel = self.channel(queue.channel);
        let length = self
            .program
            .exprs
            .add(model::Expr::ChannelLen(channel), ModelType::INT32);
        let zero = self.int(0);
        self.equal(length, zero)
    }
}
