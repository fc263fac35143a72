//! Messages: what is sent, what it becomes in a channel, what is bound when it is received.
//!
//! Which channel is meant may be known only when the move is made, and channels differ in how many
//! fields their messages have. As on the reference interpreter, what a channel has no field for is
//! lost and not even evaluated, fields for which nothing is given are zero, and what a message does
//! not have is neither compared nor bound.

use model::{Comm, ExprId, Pattern, Type};

use super::super::bits::Bits;
use super::super::evaluate::{Asked, QueueBits};
use super::super::{Encoding, Unsupported};
use super::asks::number;
use super::candidates::Candidate;
use super::flow::{Actor, Flow, Log};
use crate::aig::Lit;

/// A field of a message on its way.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// What is in it, where the message has it.
    pub(super) value: Bits,
    /// Where the message has it.
    pub(super) there: Lit,
}

impl Encoding<'_> {
    /// The channels that may be meant, each with when it is; that none is, is a fault.
    fn addressed(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        channel: ExprId,
    ) -> Result<Vec<(usize, Lit)>, Unsupported> {
        let asked = Asked::default();
        let reference = self.value_in(flow, log, actor, &[], asked, channel)?;
        let (cases, missing) = self.channel_cases(&flow.store, &reference.word())?;
        self.raise(flow, log, actor.me, &missing);
        Ok(cases)
    }

    /// The types of the fields of a channel's messages.
    fn types(&self, place: usize) -> &[Type] {
        &self.program.channels[self.references[place].index()].fields
    }

    /// Refuses channels that may be meant by one reference and differ in what cannot be told apart
    /// here: only numbers that wrap around are the same in all of them until they are stored.
    fn same_kinds(&self, cases: &[(usize, Lit)]) -> Result<(), Unsupported> {
        let wraps = |ty: &Type| matches!(ty, Type::Int { .. });
        let first = cases.first().map(|(place, _)| self.types(*place));
        let differ = cases.iter().any(|(place, _)| {
            let types = self.types(*place);
            Some(types) != first && !types.iter().chain(first.into_iter().flatten()).all(wraps)
        });
        if differ {
            return Err(Unsupported::new("a channel that may be of different types"));
        }
        Ok(())
    }

    /// The values given for a message, as far as some channel that may be meant has a field for
    /// them.
    fn sent(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        cases: &[(usize, Lit)],
        fields: &[ExprId],
    ) -> Result<Vec<Bits>, Unsupported> {
        let asked = Asked::default();
        let mut values = Vec::new();
        for (index, &field) in fields.iter().enumerate() {
            let having = cases.iter().filter(|case| self.types(case.0).len() > index);
            let when: Vec<Lit> = having.map(|(_, meant)| *meant).collect();
            if when.is_empty() {
                break;
            }
            if when.len() == cases.len() {
                values.push(self.value_in(flow, log, actor, &[], asked, field)?);
                continue;
            }
            let there = self.circuit.aig.any(&when);
            let mut branch = flow.clone();
            branch.path = self.circuit.aig.and(flow.path, there);
            values.push(self.value_in(&mut branch, log, actor, &[], asked, field)?);
            flow.live = self.circuit.aig.mux(there, branch.live, flow.live);
        }
        Ok(values)
    }

    /// A message as a channel stores it.
    fn fitted(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        me: usize,
        place: usize,
        values: &[Bits],
    ) -> Result<Vec<Bits>, Unsupported> {
        let program = self.program;
        let types = &program.channels[self.references[place].index()].fields;
        let mut message = Vec::new();
        for (index, ty) in types.iter().enumerate() {
            message.push(match values.get(index) {
                Some(value) => self.fit(flow, log, me, ty, value.clone())?,
                None => self.constant(&program.zero(ty))?,
            });
        }
        Ok(message)
    }

    /// The message of a rendezvous, its fields reduced to the channel's types.
    pub(super) fn message(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        channel: ExprId,
        fields: &[ExprId],
    ) -> Result<Vec<Field>, Unsupported> {
        let cases = self.addressed(flow, log, actor, channel)?;
        self.same_kinds(&cases)?;
        let values = self.sent(flow, log, actor, &cases, fields)?;
        let mut rows = Vec::new();
        for (place, meant) in cases {
            let row = self.fitted(flow, log, actor.me, place, &values)?;
            rows.push((meant, row));
        }
        Ok(self.message_among(&rows))
    }

    /// The message that is found in a channel.
    fn taken(&mut self, flow: &Flow, found: &[(usize, Vec<Lit>)]) -> Vec<Field> {
        let mut rows = Vec::new();
        for (place, here) in found {
            let messages = &flow.store.channels[*place].messages;
            rows.extend(here.iter().copied().zip(messages.iter().cloned()));
        }
        self.message_among(&rows)
    }

    /// The message that is one of these, each under a condition.
    fn message_among(&mut self, rows: &[(Lit, Vec<Bits>)]) -> Vec<Field> {
        let aig = &mut self.circuit.aig;
        let widest = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        let mut message = Vec::new();
        for index in 0..widest {
            let mut field: Option<Field> = None;
            let mut all = true;
            for (when, row) in rows {
                let Some(value) = row.get(index) else {
                    all = false;
                    continue;
                };
                field = Some(match field {
                    None => Field {
                        value: value.clone(),
                        there: *when,
                    },
                    Some(other) => Field {
                        value: aig.mux_value(*when, value, &other.value),
                        there: aig.or(other.there, *when),
                    },
                });
            }
            message.extend(field.map(|field| match all {
                true => Field {
                    there: Lit::TRUE,
                    ..field
                },
                false => field,
            }));
        }
        message
    }

    pub(super) fn communicate(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        candidate: &Candidate,
        rendezvous: Option<Vec<Field>>,
    ) -> Result<(), Unsupported> {
        if let Some(message) = rendezvous {
            let receiver = &candidate.parts[1];
            let actor = self.actor(receiver);
            let comm = self.step_of(receiver).and_then(|step| step.comm.as_ref());
            let Some(Comm::Receive { patterns, .. }) = comm else {
                return Ok(());
            };
            return self.bind(flow, log, actor, patterns, &message);
        }
        let part = &candidate.parts[0];
        let actor = self.actor(part);
        match self.step_of(part).and_then(|step| step.comm.as_ref()) {
            Some(Comm::Send {
                channel,
                message,
                sorted,
                ..
            }) => {
                let cases = self.addressed(flow, log, actor, *channel)?;
                self.same_kinds(&cases)?;
                let values = self.sent(flow, log, actor, &cases, message)?;
                for (place, meant) in cases {
                    let message = self.fitted(flow, log, actor.me, place, &values)?;
                    let old = flow.store.channels[place].clone();
                    let full = self.is_full(&old);
                    let aig = &mut self.circuit.aig;
                    let put = aig.all(&[meant, !full, flow.live]);
                    let new = self.inserted(&old, &message, *sorted);
                    flow.store.channels[place] = self.queue_if(put, &new, &old);
                }
                Ok(())
            }
            Some(Comm::Receive {
                channel,
                patterns,
                anywhere,
                keep,
            }) => {
                let found = self.found(flow, log, actor, *channel, patterns, *anywhere)?;
                let message = self.taken(flow, &found);
                if !keep {
                    for (place, here) in &found {
                        let old = flow.store.channels[*place].clone();
                        let aig = &mut self.circuit.aig;
                        let any = aig.any(here);
                        let taken = aig.and(any, flow.live);
                        let new = self.removed(&old, here);
                        flow.store.channels[*place] = self.queue_if(taken, &new, &old);
                    }
                }
                self.bind(flow, log, actor, patterns, &message)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn queue_if(
        &mut self,
        condition: Lit,
        new: &QueueBits,
        old: &QueueBits,
    ) -> QueueBits {
        let aig = &mut self.circuit.aig;
        let rows = new.messages.iter().zip(&old.messages);
        QueueBits {
            length: aig.mux_word(condition, &new.length, &old.length),
            messages: rows
                .map(|(a, b)| {
                    let fields = a.iter().zip(b);
                    fields
                        .map(|(a, b)| aig.mux_value(condition, a, b))
                        .collect()
                })
                .collect(),
        }
    }

    /// A channel with one message more.
    fn inserted(&mut self, old: &QueueBits, message: &[Bits], sorted: bool) -> QueueBits {
        let aig = &mut self.circuit.aig;
        let mut new = old.clone();
        new.length = aig.add(&old.length, &number(1));
        // Whether the message's place is this one or one before it.
        let mut before = Lit::FALSE;
        for place in 0..old.messages.len() {
            let end = aig.eq(&old.length, &number(place));
            let mut here = end;
            if sorted {
                let within = aig.lt(&number(place), &old.length);
                let less = aig.less_row(message, &old.messages[place]);
                let first = aig.and(within, less);
                here = aig.or(end, first);
            }
            here = aig.and(here, !before);
            for (field, value) in message.iter().enumerate() {
                let shifted = match place {
                    0 => old.messages[0][field].clone(),
                    _ => {
                        let moved = &old.messages[place - 1][field];
                        aig.mux_value(before, moved, &old.messages[place][field])
                    }
                };
                new.messages[place][field] = aig.mux_value(here, value, &shifted);
            }
            before = aig.or(before, here);
        }
        new
    }

    /// A channel with one message less; those that follow move up, and the last place is zero.
    fn removed(&mut self, old: &QueueBits, here: &[Lit]) -> QueueBits {
        let mut new = old.clone();
        let length = self.circuit.aig.sub(&old.length, &number(1));
        new.length = length.wrapped(old.length.width(), false);
        let mut passed = Lit::FALSE;
        for place in 0..old.messages.len() {
            let aig = &mut self.circuit.aig;
            passed = aig.or(passed, here.get(place).copied().unwrap_or(Lit::FALSE));
            for field in 0..old.messages[place].len() {
                let following = match old.messages.get(place + 1) {
                    Some(next) => next[field].clone(),
                    None => zeroed(&old.messages[place][field]),
                };
                let own = &old.messages[place][field];
                new.messages[place][field] = aig.mux_value(passed, &following, own);
            }
        }
        new
    }

    fn bind(
        &mut self,
        flow: &mut Flow,
        log: &mut Log,
        actor: Actor,
        patterns: &[Pattern],
        message: &[Field],
    ) -> Result<(), Unsupported> {
        for (pattern, field) in patterns.iter().zip(message) {
            let Pattern::Bind(place) = pattern else {
                continue;
            };
            if field.there == Lit::TRUE {
                self.store(flow, log, actor, &[], place, field.value.clone())?;
                continue;
            }
            let mut branch = flow.clone();
            branch.path = self.circuit.aig.and(flow.path, field.there);
            self.store(&mut branch, log, actor, &[], place, field.value.clone())?;
            flow.store = self.joined(field.there, &branch.store, &flow.store.clone());
            flow.live = self.circuit.aig.mux(field.there, branch.live, flow.live);
        }
        Ok(())
    }
}

/// A value of the same shape that is zero.
pub(super) fn zeroed(bits: &Bits) -> Bits {
    match bits {
        Bits::Bool(_) => Bits::Bool(Lit::FALSE),
        Bits::Word(_) => Bits::Word(number(0)),
        Bits::Rich(_) => Bits::Rich(number(0)),
        Bits::Tuple(items) => Bits::Tuple(items.iter().map(zeroed).collect()),
    }
}
