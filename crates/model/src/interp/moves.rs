//! Which moves there are.

use std::collections::HashMap;

use super::Interp;
use super::eval::Asked;
use super::oracle::{Enumerate, Halt};
use super::state::State;
use crate::ids::StepId;
use crate::process::{Comm, Mode, Step};
use crate::program::{Composition, IdPolicy};
use crate::trace::{Action, Part};

/// The parts of a move: who takes which step.
pub type Parts = Vec<Part>;

impl Interp<'_> {
    /// The moves that are enabled in a state, in the order of instances and steps.
    #[must_use]
    pub fn moves(&self, state: &State) -> Vec<Parts> {
        let holder = self.holder(state);
        let alone = holder.filter(|&holder| self.moves_alone(state, holder));
        let possible = self.possible_moves(state, alone, Asked::default());
        let mut moves = self.most_urgent_siblings(state, possible);
        if let Some(holder) = holder {
            let mine = self.moves_of_holder(state, &moves, holder);
            if !mine.is_empty() || self.mode(state, holder) == Some(Mode::Region) {
                moves = mine;
            }
        }
        self.highest_class(state, moves)
    }

    /// The holder, if it still stands where it may go on alone.
    pub(crate) fn holder(&self, state: &State) -> Option<u32> {
        state
            .holder
            .filter(|&holder| matches!(self.mode(state, holder), Some(Mode::Atomic | Mode::Region)))
    }

    /// Whether all that the holder can do now it does without anyone else, and nobody can come
    /// between: then only its own moves need to be looked at.
    fn moves_alone(&self, state: &State, holder: u32) -> bool {
        let by_itself = |&(step, _): &(StepId, u16)| {
            let part = Part {
                instance: holder,
                action: Action::Step(step),
            };
            self.step_of(state, part)
                .is_some_and(|step| step.comm.is_none())
        };
        self.mode(state, holder) == Some(Mode::Region)
            && self.offered(state, holder).iter().all(by_itself)
    }

    /// The moves with which the holder goes on alone. One that is only atomic is held up, as if it
    /// were blocked, while a process of higher priority can move.
    fn moves_of_holder(&self, state: &State, moves: &[Parts], holder: u32) -> Vec<Parts> {
        let own = self.priority(state, holder);
        let is_atomic = self.mode(state, holder) == Some(Mode::Atomic);
        let outranked = |parts: &Parts| self.priority(state, parts[0].instance) > own;
        if is_atomic && moves.iter().any(outranked) {
            return Vec::new();
        }
        moves
            .iter()
            .filter(|parts| parts[0].instance == holder || self.is_barrier(state, parts, holder))
            .cloned()
            .collect()
    }

    /// How control stays where an instance is.
    pub(crate) fn mode(&self, state: &State, number: u32) -> Option<Mode> {
        let instance = state.instance(number)?;
        let process = &self.program.processes[instance.process.index()];
        Some(process.locations[instance.location?.index()].mode)
    }

    fn is_barrier(&self, state: &State, parts: &[Part], holder: u32) -> bool {
        let first = self.step_of(state, parts[0]);
        matches!(
            first.and_then(|step| step.comm.as_ref()),
            Some(Comm::Barrier(_))
        ) && parts.iter().any(|part| part.instance == holder)
    }

    /// Whether the instance takes part in a possible move.
    pub(crate) fn can_move(&self, state: &State, number: u32, asked: Asked) -> bool {
        self.possible_moves(state, None, asked)
            .iter()
            .any(|parts| parts.iter().any(|part| part.instance == number))
    }

    /// The steps offered to an instance where it is, with their precedence.
    fn offered(&self, state: &State, number: u32) -> &[(StepId, u16)] {
        let instance = state.instance(number);
        instance.map_or(&[], |instance| self.control().offered(instance))
    }

    /// Moves whose guards and communication allow them, before ranks, precedence and classes: of
    /// one instance alone, or of all.
    fn possible_moves(&self, state: &State, alone: Option<u32>, asked: Asked) -> Vec<Parts> {
        let mut moves = Vec::new();
        let able = alone.map_or_else(|| self.awake(state), |alone| vec![alone]);
        let offers: Vec<(Part, &Step)> = able
            .into_iter()
            .flat_map(|number| {
                self.offered(state, number)
                    .iter()
                    .map(move |&(step, _)| Part {
                        instance: number,
                        action: Action::Step(step),
                    })
            })
            .filter_map(|part| Some((part, self.step_of(state, part)?)))
            .collect();
        for &(part, step) in &offers {
            if self.is_closed(state, part, step, asked) {
                continue;
            }
            match &step.comm {
                Some(Comm::Barrier(barrier)) => {
                    let wanted = &self.program.barriers[barrier.index()].participants;
                    let first = state
                        .instance(part.instance)
                        .map(|instance| instance.process);
                    if first == wanted.first().copied() {
                        self.join_barrier(state, &offers, step, vec![part], &mut moves, asked);
                    }
                    continue;
                }
                Some(Comm::Send { .. }) => {
                    for &(other, receive) in &offers {
                        if other.instance != part.instance
                            && matches!(receive.comm, Some(Comm::Receive { .. }))
                            && self.is_rendezvous(state, part)
                        {
                            moves.push(vec![part, other]);
                        }
                    }
                }
                _ => {}
            }
            moves.push(vec![part]);
        }
        moves.retain(|parts| self.is_possible(state, parts, asked));
        if self.program.composition
            == (Composition::Interleaving {
                ids: IdPolicy::Stack,
            })
            && let Some((youngest, instance)) = state.youngest()
            && instance.location.is_none()
            && !instance.halted
        {
            let leave = vec![Part {
                instance: youngest,
                action: Action::Leave,
            }];
            if self.is_possible(state, &leave, asked) {
                moves.push(leave);
            }
        }
        moves
    }

    /// Whether a step's guard, which no choice or other condition comes before, is false: then no
    /// move with it needs to be tried.
    fn is_closed(&self, state: &State, part: Part, step: &Step, asked: Asked) -> bool {
        let provided = || {
            let process = state.instance(part.instance)?.process;
            self.program.processes[process.index()].provided_for(step)
        };
        let scope = super::eval::Scope {
            asked,
            ..super::eval::Scope::of(state, part.instance)
        };
        step.binds.is_empty()
            && provided().is_none()
            && step
                .guard
                .is_some_and(|guard| matches!(self.truth(scope, guard), Ok(false)))
    }

    /// Completes a barrier's parts with one step of each further participant.
    fn join_barrier(
        &self,
        state: &State,
        offers: &[(Part, &Step)],
        first: &Step,
        parts: Parts,
        moves: &mut Vec<Parts>,
        asked: Asked,
    ) {
        let Some(Comm::Barrier(barrier)) = first.comm else {
            return;
        };
        let participants = &self.program.barriers[barrier.index()].participants;
        let Some(&next) = participants.get(parts.len()) else {
            if self.is_possible(state, &parts, asked) {
                moves.push(parts);
            }
            return;
        };
        for &(part, step) in offers {
            let process = state
                .instance(part.instance)
                .map(|instance| instance.process);
            if process == Some(next)
                && step.comm == first.comm
                && !parts.iter().any(|other| other.instance == part.instance)
            {
                let mut longer = parts.clone();
                longer.push(part);
                self.join_barrier(state, offers, first, longer, moves, asked);
            }
        }
    }

    /// Whether a send goes to a channel that keeps nothing.
    fn is_rendezvous(&self, state: &State, part: Part) -> bool {
        let Some(Comm::Send { channel, .. }) = self
            .step_of(state, part)
            .and_then(|step| step.comm.as_ref())
        else {
            return false;
        };
        let scope = super::eval::Scope::of(state, part.instance);
        self.queue(scope, *channel)
            .is_ok_and(|queue| self.program.channels[queue.channel.index()].capacity == Some(0))
    }

    /// Whether some choices satisfy guards and communication.
    fn is_possible(&self, state: &State, parts: &[Part], asked: Asked) -> bool {
        // A receive from a channel that keeps nothing happens only together with a send.
        if let [part] = *parts
            && let Some(Comm::Receive { channel, .. }) = self
                .step_of(state, part)
                .and_then(|step| step.comm.as_ref())
        {
            let scope = super::eval::Scope::of(state, part.instance);
            if let Ok(queue) = self.queue(scope, *channel)
                && self.program.channels[queue.channel.index()].capacity == Some(0)
            {
                return false;
            }
        }
        let mut oracle = Enumerate::default();
        let mut looked = false;
        loop {
            match self.accepts(state, parts, &mut oracle, asked) {
                // What is too wide to list is not empty.
                Ok(()) | Err(Halt::Overflow | Halt::TooWide) => return true,
                Err(_) => {}
            }
            if !oracle.advance()
                || !std::mem::replace(&mut looked, true) && self.fails_regardless(state, parts)
            {
                return false;
            }
        }
    }

    /// Keeps, for each instance, the highest precedence and the lowest rank among its siblings.
    fn most_urgent_siblings(&self, state: &State, moves: Vec<Parts>) -> Vec<Parts> {
        let mut best: HashMap<u32, (u16, u16)> = HashMap::new();
        let urgency = |part: Part| -> Option<(u16, u16)> {
            let Action::Step(step) = part.action else {
                return None;
            };
            let &(_, precedence) = self
                .offered(state, part.instance)
                .iter()
                .find(|(offered, _)| *offered == step)?;
            let rank = self.step_of(state, part)?.rank;
            // Greater is more urgent: precedence up, rank down.
            Some((precedence, u16::MAX - rank))
        };
        for &part in moves.iter().flatten() {
            if let Some(found) = urgency(part) {
                let entry = best.entry(part.instance).or_insert(found);
                *entry = (*entry).max(found);
            }
        }
        moves
            .into_iter()
            .filter(|parts| {
                parts
                    .iter()
                    .all(|&part| urgency(part).is_none_or(|found| best[&part.instance] == found))
            })
            .collect()
    }

    /// Keeps the moves of the highest class and, among those, of the highest process priority.
    fn highest_class(&self, state: &State, mut moves: Vec<Parts>) -> Vec<Parts> {
        let class = |parts: &Parts| {
            parts
                .iter()
                .map(|&part| self.step_of(state, part).map_or(1, |step| step.class))
                .max()
        };
        let highest = moves.iter().map(class).max();
        moves.retain(|parts| Some(class(parts)) == highest);
        let priority = |parts: &Parts| self.priority(state, parts[0].instance);
        let highest = moves.iter().map(priority).max();
        moves.retain(|parts| Some(priority(parts)) == highest);
        moves
    }

    /// The priority of an instance.
    fn priority(&self, state: &State, number: u32) -> i128 {
        let value = || {
            let process = state.instance(number)?.process;
            let expr = self.program.processes[process.index()].priority?;
            let scope = super::eval::Scope::of(state, number);
            self.eval(scope, expr).ok().map(|value| value.number())
        };
        value().unwrap_or(0)
    }

    /// Sets the holder after a move.
    pub(crate) fn settle(&self, state: &mut State, parts: &[Part]) {
        let last = parts.last().expect("a move has a part").instance;
        let inner = matches!(self.mode(state, last), Some(Mode::Atomic | Mode::Region));
        state.holder = if inner {
            Some(last)
        } else {
            self.in_region(state)
        };
    }

    /// Whether a macro step ends here. An atomic holder that is blocked, or outranked, loses its
    /// privilege.
    pub(crate) fn stabilise(&self, state: &mut State) -> bool {
        if self.in_region(state).is_some() {
            return false;
        }
        let Some(holder) = self.holder(state) else {
            state.holder = None;
            return true;
        };
        let possible = self.possible_moves(state, None, Asked::default());
        let moves = self.most_urgent_siblings(state, possible);
        let goes_on = !self.moves_of_holder(state, &moves, holder).is_empty();
        if !goes_on {
            state.holder = None;
        }
        !goes_on
    }
}
