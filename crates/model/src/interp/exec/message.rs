//! Messages: whether one matches, putting one in, taking one out.

use super::{Break, Run, trouble};
use crate::ids::ExprId;
use crate::interp::eval::find_message;
use crate::interp::oracle::Oracle;
use crate::interp::state::Queue;
use crate::process::{Comm, Pattern, Step};
use crate::trace::Part;
use crate::value::Value;

impl<O: Oracle> Run<'_, '_, O> {
    pub(super) fn queue(&self, me: u32, channel: ExprId) -> Result<&Queue, Break> {
        self.interp
            .queue(self.scope(me), channel)
            .map_err(|t| trouble(me, t))
    }

    pub(super) fn matches(
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

    /// The message, its fields reduced to the channel's types. What the channel has no field for is
    /// lost; fields for which nothing is given are zero, as in SPIN.
    pub(super) fn message(
        &self,
        me: u32,
        channel: ExprId,
        fields: &[ExprId],
    ) -> Result<Vec<Value>, Break> {
        let declaration = self.queue(me, channel)?.channel;
        let types = &self.interp.program.channels[declaration.index()].fields;
        types
            .iter()
            .enumerate()
            .map(|(place, ty)| match fields.get(place) {
                Some(&field) => {
                    let value = self.eval(me, field)?;
                    self.fit(me, ty, value)
                }
                None => Ok(self.interp.program.zero(ty)),
            })
            .collect()
    }

    pub(super) fn communicate(
        &mut self,
        parts: &[Part],
        steps: &[&Step],
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
                let queue = self.state.to_mut().channels[place]
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
                    let queue = self.state.to_mut().channels[place]
                        .as_mut()
                        .expect("a living channel");
                    queue.messages.remove(at);
                }
                self.bind(me, patterns, messages[at].clone())
            }
            Some(Comm::Barrier(_)) | None => Ok(()),
        }
    }

    pub(super) fn channel_place(&self, me: u32, channel: ExprId) -> Result<usize, Break> {
        self.interp
            .channel_place(self.scope(me), channel)
            .map_err(|t| trouble(me, t))
    }

    pub(super) fn bind(
        &mut self,
        me: u32,
        patterns: &[Pattern],
        message: Vec<Value>,
    ) -> Result<(), Break> {
        for (pattern, field) in patterns.iter().zip(message) {
            if let Pattern::Bind(place) = pattern {
                self.store(me, place, field, &[])?;
            }
        }
        Ok(())
    }
}
