//! Stories told by processes and their statements, for languages whose scripts are closed: which
//! process executes which statement, what a rendezvous hands over, who is started, and, where
//! nobody can move any more, who waits for what.

use model::interp::{Instance, Interp, Occurrence, State};
use model::{Action, Comm, ExprId, Part, ProcessId, Step, StepId, Value};
use source::Span;

use crate::channels::{channel_name, contents, message_text};
use crate::ending::one_line;
use crate::printed::visible;
use crate::story::Narrator;
use crate::values::{Change, Happening, HappeningKind, Holder, Message, Waiting};

impl Narrator<'_> {
    /// A process instance by name and number.
    pub(crate) fn who(&self, state: &State, instance: u32) -> String {
        let name = state.instance(instance).map_or("process", |found| {
            &self.program.processes[found.process.index()].name
        });
        format!("{name} (pid {instance})")
    }

    /// The text of a statement, on one line.
    pub(crate) fn statement(&self, span: Span) -> String {
        if span.is_none() || self.sources.get(span.file).is_none() {
            return String::new();
        }
        let text = visible(&one_line(self.sources.snippet(span)));
        text.trim_end_matches(';').trim_end().to_owned()
    }

    pub(crate) fn step_of(&self, state: &State, part: Part) -> Option<&Step> {
        let Action::Step(step) = part.action else {
            return None;
        };
        let process = state.instance(part.instance)?.process;
        let steps = &self.program.processes[process.index()].steps;
        steps.get(step.index())
    }

    /// What a process does: the statement, or that it goes away.
    pub(crate) fn deed(&self, before: &State, part: Part, span: Span) -> Happening {
        let text = match part.action {
            Action::Leave => "ends".to_owned(),
            Action::Step(step) => {
                let text = self.statement(span);
                match self.called_from(before, part.instance, step) {
                    calls if calls.is_empty() => text,
                    calls => format!("{text:<15} {calls}"),
                }
            }
        };
        Happening {
            places: Vec::new(),
            message: None,
            kind: HappeningKind::Step,
            who: Some(self.who(before, part.instance)),
            text,
            detail: part.action == Action::Leave,
            line: match part.action {
                Action::Leave => None,
                Action::Step(_) => self.line(span),
            },
        }
    }

    /// The calls whose text a step is in, with their arguments, the innermost first; empty if there are none.
    fn called_from(&self, before: &State, instance: u32, step: StepId) -> String {
        let process = before.instance(instance).map(|found| found.process);
        let calls = process.and_then(|process| self.program.display.calls.get(&(process, step)));
        let told = calls.into_iter().flatten().map(|&call| {
            let line = self.line(call).map(|line| format!(", line {}", line.line));
            format!("in {}{}", self.statement(call), line.unwrap_or_default())
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// What the receiver of a rendezvous takes from whom: `step` and the one before it in the
    /// story are the two halves of an exchange.
    pub(crate) fn exchange(
        &self,
        before: &State,
        occurrences: &[Occurrence],
        at: usize,
    ) -> Option<String> {
        let steps = |occurrence: &Occurrence| match occurrence {
            Occurrence::Step { part, .. } => Some(*part),
            _ => None,
        };
        let receiver = steps(&occurrences[at])?;
        let sender = occurrences[..at].iter().rev().find_map(steps)?;
        let (sends, receives) = (
            self.step_of(before, sender)?,
            self.step_of(before, receiver)?,
        );
        let (
            Some(Comm::Send {
                channel, message, ..
            }),
            Some(Comm::Receive { .. }),
        ) = (&sends.comm, &receives.comm)
        else {
            return None;
        };
        if sender.instance == receiver.instance {
            return None;
        }
        let (_, text) = self.sent(before, sender.instance, *channel, message)?;
        let who = self.who(before, sender.instance);
        Some(format!("takes {text} from {who}"))
    }

    /// The channel that a message is sent to, by its reference, and the message.
    fn sent(
        &self,
        before: &State,
        sender: u32,
        channel: ExprId,
        message: &[ExprId],
    ) -> Option<(i128, String)> {
        let interp = self.interp();
        let Some(Value::Int(reference)) = interp.value_of(before, sender, channel) else {
            return None;
        };
        let place = usize::try_from(reference).ok()?.checked_sub(1)?;
        let queue = before.channels.get(place)?.as_ref()?;
        let types = &self.program.channels[queue.channel.index()].fields;
        let values: Option<Vec<Value>> = message
            .iter()
            .zip(types)
            .map(|(&field, ty)| {
                let value = interp.value_of(before, sender, field)?;
                Some(match (&value, ty) {
                    // As the channel keeps it.
                    (Value::Int(number), model::Type::Int { .. }) => Value::Int(ty.wrap(*number)),
                    _ => value,
                })
            })
            .collect();
        let text = message_text(self.program, before, queue.channel, &values?);
        Some((reference, text))
    }

    /// Whether a step sends a message that is lost, because its channel is full. Of what was done
    /// before in the same macro step nothing is known here.
    pub(crate) fn is_lost(&self, before: &State, occurrences: &[Occurrence], at: usize) -> bool {
        let is_step = |occurrence: &Occurrence| matches!(occurrence, Occurrence::Step { .. });
        let Occurrence::Step { part, .. } = occurrences[at] else {
            return false;
        };
        if occurrences[..at].iter().any(is_step) {
            return false;
        }
        let comm = self
            .step_of(before, part)
            .and_then(|step| step.comm.as_ref());
        let Some(Comm::Send {
            channel,
            lossy: true,
            ..
        }) = comm
        else {
            return false;
        };
        let reference = self.interp().value_of(before, part.instance, *channel);
        let Some(Value::Int(reference)) = reference else {
            return false;
        };
        let place = usize::try_from(reference - 1).ok();
        let queue = place.and_then(|place| before.channels.get(place)?.as_ref());
        queue.is_some_and(|queue| {
            let capacity = self.program.channels[queue.channel.index()].capacity;
            capacity.is_some_and(|most| most > 0 && queue.messages.len() >= most as usize)
        })
    }

    /// What a step says to whom: in a rendezvous, what the receiver takes from the sender; else what
    /// goes into a channel or comes out of it.
    pub(crate) fn passed(
        &self,
        before: &State,
        occurrences: &[Occurrence],
        at: usize,
    ) -> Option<Message> {
        let Occurrence::Step { part, span } = occurrences[at] else {
            return None;
        };
        let me = self.who(before, part.instance);
        if let Some(taken) = self.exchange(before, occurrences, at) {
            let (text, from) = taken.strip_prefix("takes ")?.rsplit_once(" from ")?;
            return Some(Message {
                from: from.to_owned(),
                to: me,
                text: text.to_owned(),
            });
        }
        let comm = self.step_of(before, part)?.comm.as_ref()?;
        let (Comm::Send { channel, .. } | Comm::Receive { channel, .. }) = comm else {
            return None;
        };
        let Some(Value::Int(reference)) = self.interp().value_of(before, part.instance, *channel)
        else {
            return None;
        };
        let sends = matches!(comm, Comm::Send { .. });
        // Of a rendezvous the receiver's half is told.
        let is_step = |occurrence: &Occurrence| matches!(occurrence, Occurrence::Step { .. });
        let next = occurrences[at + 1..].iter().position(is_step);
        if sends
            && let Some(next) = next
            && self.exchange(before, occurrences, at + 1 + next).is_some()
        {
            return None;
        }
        // What was done before in the same macro step is not in the state before it.
        let first = !occurrences[..at].iter().any(is_step);
        let said = match comm {
            Comm::Send { message, .. } if first => self
                .sent(before, part.instance, *channel, message)
                .map(|(_, text)| text),
            Comm::Receive {
                anywhere: false, ..
            } if first => usize::try_from(reference - 1)
                .ok()
                .and_then(|place| before.channels.get(place)?.as_ref())
                .and_then(|queue| {
                    let message = queue.messages.first()?;
                    Some(message_text(self.program, before, queue.channel, message))
                }),
            _ => None,
        };
        let channel = channel_name(self.program, before, reference);
        let (from, to) = match sends {
            true => (me, channel),
            false => (channel, me),
        };
        let text = said.unwrap_or_else(|| self.statement(span));
        Some(Message { from, to, text })
    }

    /// The instances that a macro step started.
    pub(crate) fn started(&self, before: &State, after: &State) -> Vec<Happening> {
        after
            .living()
            .filter(|(number, _)| before.instance(*number).is_none())
            .map(|(number, _)| Happening {
                places: Vec::new(),
                message: None,
                kind: HappeningKind::Step,
                who: None,
                text: format!("starts {}", self.who(after, number)),
                detail: false,
                line: None,
            })
            .collect()
    }

    /// The channels whose contents differ between two states.
    pub(crate) fn channel_changes(&self, before: &State, after: &State) -> Vec<Change> {
        let mut changes = Vec::new();
        for (place, new) in after.channels.iter().enumerate() {
            let Some(new) = new else {
                continue;
            };
            let old = before.channels.get(place).and_then(Option::as_ref);
            let old = old.filter(|old| old.channel == new.channel);
            let was = old.map_or("empty".to_owned(), |old| {
                contents(self.program, before, old)
            });
            let is = contents(self.program, after, new);
            if was != is {
                changes.push(Change {
                    variable: channel_name(self.program, after, place as i128 + 1),
                    holder: Holder::Script,
                    before: was,
                    after: is,
                    detail: false,
                });
            }
        }
        changes
    }

    /// Who waits for what in a state.
    #[must_use]
    pub fn waiting(&self, state: &State) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        for (number, instance) in state.living() {
            let Some(location) = instance.location else {
                continue;
            };
            let process = &self.program.processes[instance.process.index()];
            let escapes = process
                .escapes
                .iter()
                .filter(|escape| escape.covers.contains(&location))
                .flat_map(|escape| &escape.steps);
            let own = process.steps.iter().filter(|step| step.from == location);
            let steps = own.chain(escapes.filter_map(|step| process.steps.get(step.index())));
            let mut statements: Vec<String> = Vec::new();
            let mut line = None;
            for step in steps {
                let text = self.statement(step.span);
                if !text.is_empty() && !statements.contains(&text) {
                    statements.push(text);
                    line = line.or_else(|| self.line(step.span));
                }
            }
            waiting.push(Waiting {
                who: self.who(state, number),
                statements,
                may_end: process.locations[location.index()].end,
                line,
            });
        }
        waiting
    }

    /// What processes wait for that are stuck in a state, where stories tell of events: all, or the
    /// instances of one.
    pub(crate) fn stuck(&self, state: &State, whose: Option<ProcessId>) -> Vec<Waiting> {
        let mut stuck = Vec::new();
        for (number, instance) in state.living() {
            let Some(location) = instance.location else {
                continue;
            };
            if whose.is_some_and(|process| process != instance.process) {
                continue;
            }
            let process = &self.program.processes[instance.process.index()];
            let here = &process.locations[location.index()];
            let own = process.steps.iter().filter(|step| step.from == location);
            // What can never happen has no step, and still is where the process stands.
            let spans = std::iter::once(here.span).chain(own.map(|step| step.span));
            let mut statements: Vec<String> = Vec::new();
            for span in spans {
                let text = self.statement(span);
                if !text.is_empty() && !statements.contains(&text) {
                    statements.push(text);
                }
            }
            if statements.is_empty() {
                // It is none of the script's.
                continue;
            }
            let alike = |other: &&Instance| other.process == instance.process;
            let who = match state.living().map(|(_, other)| other).filter(alike).count() {
                1 => process.name.clone(),
                _ => self.who(state, number),
            };
            stuck.push(Waiting {
                who,
                statements,
                may_end: here.end,
                line: self.line(here.span),
            });
        }
        stuck
    }

    fn interp(&self) -> &Interp<'_> {
        self.interp.get_or_init(|| Interp::new(self.program))
    }
}
