//! Communication: whether it is possible, and what it does.

use model::{Comm, ExprId, Pattern, Root};

use super::moves::Making;
use super::{Compiler, Result, Scope, small};
use crate::ir::instruction::{ChannelSite, Op, Slot};
use crate::ir::layout::{flatten, size, unsupported};
use crate::ir::number::as_i64;

/// How the parts of a move communicate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Communication {
    /// Not, or by a barrier.
    Silent,
    /// A send into a channel that keeps messages.
    Put,
    /// A receive from one.
    Take,
    /// A rendezvous on this channel.
    Meet(usize),
}

impl<'p> Compiler<'p> {
    /// Whether communication is possible; gives the place of the message or its position.
    pub(super) fn can_talk(
        &mut self,
        making: &mut Making<'_>,
        talk: Communication,
        steps: &[&model::Step],
    ) -> Result<Slot> {
        let chosen = making.binds.len();
        let next = making.binds.last().map_or(making.done, |bind| bind.3);
        let sender = self.making_scope(making, chosen, 0);
        match (talk, &steps[0].comm) {
            (Communication::Put, Some(Comm::Send { channel, lossy, .. })) => {
                self.per_channel(sender, *channel, |cx, number| {
                    let slots = &cx.layout.channels[number];
                    let (len, capacity) = (slots.len, slots.capacity);
                    if capacity == 0 {
                        cx.jump(next);
                    } else if !lossy {
                        let a = cx.state_slot(len);
                        let b = cx.constant(i64::try_from(capacity).expect("a small capacity"))?;
                        cx.emit(Op::JumpEq { a, b, to: next.0 });
                    }
                    Ok(())
                })?;
                Ok(0)
            }
            (
                Communication::Take,
                Some(Comm::Receive {
                    channel,
                    patterns,
                    anywhere,
                    ..
                }),
            ) => {
                let at = self.lasting(1)?;
                let zero = self.constant(0)?;
                self.per_channel(sender, *channel, |cx, number| {
                    if cx.layout.channels[number].capacity == 0 {
                        cx.jump(next);
                        return Ok(());
                    }
                    let wanted = cx.wanted(sender, patterns)?;
                    cx.find_message(number, &wanted, *anywhere, at)?;
                    cx.emit(Op::JumpLt {
                        a: at,
                        b: zero,
                        to: next.0,
                    });
                    Ok(())
                })?;
                Ok(at)
            }
            (
                Communication::Meet(number),
                Some(Comm::Send {
                    channel, message, ..
                }),
            ) => {
                let Some(Comm::Receive {
                    channel: theirs,
                    patterns,
                    ..
                }) = &steps[1].comm
                else {
                    return unsupported("a rendezvous without a receiver");
                };
                let receiver = self.making_scope(making, chosen, 1);
                let place = self.layout.channels[number].place;
                let wanted = self.constant(as_i64(place + 1))?;
                for (scope, reference) in [(sender, *channel), (receiver, *theirs)] {
                    if self.known(scope.me, reference).is_none() {
                        let a = self.expr(scope, reference)?;
                        self.emit(Op::JumpNe {
                            a,
                            b: wanted,
                            to: next.0,
                        });
                    }
                }
                self.unless_there(number, next)?;
                let first = self.message(sender, number, message)?;
                let wanted = self.wanted(receiver, patterns)?;
                let fields = &self.declaration(number).fields;
                let mut at = first;
                for (field, wanted) in fields.iter().zip(wanted) {
                    let width = small::<u16>(size(self.program, field)?, "fields")?;
                    if let Some(wanted) = wanted {
                        for part in 0..width {
                            self.emit(Op::JumpNe {
                                a: at + part,
                                b: wanted + part,
                                to: next.0,
                            });
                        }
                    }
                    at += width;
                }
                Ok(first)
            }
            _ => Ok(0),
        }
    }

    /// The declaration of a channel.
    pub(super) fn declaration(&self, channel: usize) -> &'p model::Channel {
        &self.program.channels[self.layout.channels[channel].declaration.index()]
    }

    fn wanted(&mut self, scope: Scope<'_>, patterns: &[Pattern]) -> Result<Vec<Option<Slot>>> {
        let mut wanted = Vec::new();
        for pattern in patterns {
            wanted.push(match pattern {
                Pattern::Match(value) => Some(self.expr(scope, *value)?),
                Pattern::Bind(_) | Pattern::Any => None,
            });
        }
        Ok(wanted)
    }

    /// Evaluates a message into lasting slots. What a channel has no field for is left out.
    fn message(&mut self, scope: Scope<'_>, channel: usize, message: &[ExprId]) -> Result<Slot> {
        let fields = &self.declaration(channel).fields;
        if fields.len() > message.len() {
            return unsupported("a message with too few fields");
        }
        let mut width = 0;
        for field in fields {
            width += size(self.program, field)?;
        }
        let first = self.lasting(width)?;
        let mut d = first;
        for (&value, field) in message.iter().zip(fields) {
            let saved = self.next_temporary;
            let a = self.fitted(scope, value, field)?;
            let width = size(self.program, field)?;
            self.copy(d, a, width)?;
            self.next_temporary = saved;
            d += small::<u16>(width, "fields")?;
        }
        Ok(first)
    }

    /// The effect of a move with communication or several parts.
    pub(super) fn joint_body(
        &mut self,
        making: &Making<'_>,
        talk: Communication,
        steps: &[&model::Step],
        message: Slot,
    ) -> Result<()> {
        let joint = making.parts.len() > 1;
        let last = making.parts[making.parts.len() - 1].instance;
        self.may_note = false;
        self.in_loop = making.parts.iter().any(|part| {
            let process = self.layout.instances[part.instance].process;
            self.analysis.processes[process.index()].step_loops[part.step.index()]
        });
        self.taken(self.moves[making.id as usize].fair)?;
        let mut scopes = Vec::new();
        for &part in making.parts {
            let fault = self.handler(part.instance, joint.then_some(last));
            let scope = Self::scope_of(part.instance, self.procedure_at(part), fault);
            scopes.push(scope.at_site(self.site_of(part.instance, part.step)));
        }
        match (talk, &steps[0].comm) {
            (Communication::Meet(number), _) => {
                let Some(Comm::Receive { patterns, .. }) = &steps[1].comm else {
                    return unsupported("a rendezvous without a receiver");
                };
                self.bind_fields(scopes[1], number, patterns, message)?;
            }
            (
                Communication::Put,
                Some(Comm::Send {
                    channel,
                    message,
                    sorted,
                    ..
                }),
            ) => {
                self.per_channel(scopes[0], *channel, |cx, number| {
                    let slots = cx.layout.channels[number].clone();
                    if slots.capacity == 0 {
                        return Ok(());
                    }
                    if cx.declaration(number).fields.len() > message.len() {
                        let to = cx.stop_label("a message with too few fields");
                        cx.jump(to);
                        return Ok(());
                    }
                    let saved = cx.next_lasting;
                    let first = cx.message(scopes[0], number, message)?;
                    let full = cx.label();
                    let len = cx.state_slot(slots.len);
                    let capacity = i64::try_from(slots.capacity).expect("a small capacity");
                    let b = cx.constant(capacity)?;
                    cx.emit(Op::JumpEq {
                        a: len,
                        b,
                        to: full.0,
                    });
                    let messages = cx.state_slot(slots.messages);
                    cx.channel_op(ChannelSite::Put {
                        len,
                        messages,
                        width: slots.width,
                        message: first,
                        sorted: *sorted,
                    })?;
                    cx.bind(full);
                    cx.next_lasting = saved;
                    Ok(())
                })?;
            }
            (
                Communication::Take,
                Some(Comm::Receive {
                    channel,
                    patterns,
                    keep,
                    ..
                }),
            ) => {
                self.per_channel(scopes[0], *channel, |cx, number| {
                    let slots = cx.layout.channels[number].clone();
                    let fields = &cx.declaration(number).fields;
                    if slots.capacity == 0 {
                        return Ok(());
                    }
                    let mut zeros = Vec::new();
                    for field in fields {
                        flatten(cx.program, field, &mut zeros)?;
                    }
                    let taken = cx.temporary(slots.width)?;
                    let site = ChannelSite::Take {
                        len: cx.state_slot(slots.len),
                        messages: cx.state_slot(slots.messages),
                        width: slots.width,
                        at: message,
                        keep: *keep,
                        message: taken,
                        zeros: zeros.iter().map(|leaf| leaf.zero).collect(),
                    };
                    cx.channel_op(site)?;
                    cx.bind_fields(scopes[0], number, patterns, taken)
                })?;
            }
            _ => {}
        }
        for (place, step) in steps.iter().enumerate() {
            self.block(scopes[place], &step.body)?;
            let id = making.parts[place].step;
            if place + 1 < steps.len() {
                self.early_target(scopes[place], id)?;
            } else {
                self.last_target(scopes[place], id, joint)?;
            }
        }
        Ok(())
    }

    fn bind_fields(
        &mut self,
        scope: Scope<'_>,
        channel: usize,
        patterns: &[Pattern],
        message: Slot,
    ) -> Result<()> {
        let fields = &self.declaration(channel).fields;
        let mut at = message;
        for (field, pattern) in fields.iter().zip(patterns) {
            if let Pattern::Bind(place) = pattern {
                let saved = self.next_temporary;
                let process = scope.me.map(|me| self.layout.instances[me].process);
                let same = match place.root {
                    Root::Global(_) | Root::Own(_) | Root::Frame(_) => {
                        self.program.place_type(process, scope.procedure, place) == *field
                    }
                    _ => false,
                };
                self.store(scope, place, at, same)?;
                self.next_temporary = saved;
            }
            at += small::<u16>(size(self.program, field)?, "fields")?;
        }
        Ok(())
    }
}
